/** Tool sources, the tools that they publish, every definition of a tool, and which agents refer to a source. */
export const toolSources0018 = `
  CREATE TABLE tool_sources (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    settings text NOT NULL,
    revision bigint NOT NULL,
    status text NOT NULL,
    status_at bigint NOT NULL,
    reason text,
    generation bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    archived_at bigint
  );
  CREATE INDEX tool_sources_by_workspace ON tool_sources (workspace_id, id) WHERE archived_at IS NULL;
  CREATE UNIQUE INDEX tool_sources_by_name ON tool_sources (workspace_id, name) WHERE archived_at IS NULL;

  -- The definition that a source publishes, and the accepted one, by their hashes.
  CREATE TABLE tool_source_tools (
    source_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    published_hash text COLLATE "C",
    accepted_hash text COLLATE "C",
    PRIMARY KEY (source_id, name)
  );

  -- Definitions never change. Executions keep the accepted ones with which they started.
  CREATE TABLE tool_source_definitions (
    source_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    hash text COLLATE "C" NOT NULL,
    content text NOT NULL,
    accepted_at bigint,
    withdrawn_at bigint,
    PRIMARY KEY (source_id, name, hash)
  );

  -- The sources to which the current versions of agents refer.
  CREATE TABLE agent_tool_sources (
    source_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    lists_all bigint NOT NULL,
    PRIMARY KEY (source_id, agent_id)
  );
  CREATE INDEX agent_tool_sources_by_agent ON agent_tool_sources (agent_id);
`;
