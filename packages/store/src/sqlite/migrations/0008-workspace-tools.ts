/** Workspace tools with their versions, toolkits, and the last test of each tool. */
export const workspaceTools0008 = `
  CREATE TABLE tools (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    version INTEGER NOT NULL,
    toolkit_id TEXT,
    archived_at INTEGER
  ) STRICT;
  CREATE INDEX tools_by_workspace ON tools (workspace_id, id) WHERE archived_at IS NULL;
  CREATE UNIQUE INDEX tools_by_name ON tools (workspace_id, name) WHERE archived_at IS NULL;
  CREATE INDEX tools_by_toolkit ON tools (toolkit_id, id) WHERE toolkit_id IS NOT NULL;

  CREATE TABLE tool_versions (
    tool_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    status TEXT NOT NULL,
    content TEXT NOT NULL,
    last_test TEXT,
    PRIMARY KEY (tool_id, version)
  ) STRICT;

  CREATE TABLE tool_tests (
    tool_id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    test TEXT NOT NULL
  ) STRICT;

  CREATE TABLE toolkits (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    provider TEXT NOT NULL,
    credential TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX toolkits_by_workspace ON toolkits (workspace_id, id);
`;
