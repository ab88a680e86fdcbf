/** Workspace tools with their versions, toolkits, and the last test of each tool. */
export const workspaceTools0008 = `
  CREATE TABLE tools (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    version bigint NOT NULL,
    toolkit_id text COLLATE "C",
    archived_at bigint
  );
  CREATE INDEX tools_by_workspace ON tools (workspace_id, id) WHERE archived_at IS NULL;
  CREATE UNIQUE INDEX tools_by_name ON tools (workspace_id, name) WHERE archived_at IS NULL;
  CREATE INDEX tools_by_toolkit ON tools (toolkit_id, id) WHERE toolkit_id IS NOT NULL;

  CREATE TABLE tool_versions (
    tool_id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    status text NOT NULL,
    content text NOT NULL,
    last_test text,
    PRIMARY KEY (tool_id, version)
  );

  CREATE TABLE tool_tests (
    tool_id text COLLATE "C" NOT NULL PRIMARY KEY,
    version bigint NOT NULL,
    test text NOT NULL
  );

  CREATE TABLE toolkits (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    provider text NOT NULL,
    credential text,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
  );
  CREATE INDEX toolkits_by_workspace ON toolkits (workspace_id, id);
`;
