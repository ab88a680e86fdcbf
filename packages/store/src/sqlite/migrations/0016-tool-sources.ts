/** Tool sources, the tools that they publish, every definition of a tool, and which agents refer to a source. */
export const toolSources0016 = `
  CREATE TABLE tool_sources (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    settings TEXT NOT NULL,
    revision INTEGER NOT NULL,
    status TEXT NOT NULL,
    status_at INTEGER NOT NULL,
    reason TEXT,
    generation INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    archived_at INTEGER
  ) STRICT;
  CREATE INDEX tool_sources_by_workspace ON tool_sources (workspace_id, id) WHERE archived_at IS NULL;
  CREATE UNIQUE INDEX tool_sources_by_name ON tool_sources (workspace_id, name) WHERE archived_at IS NULL;

  -- The definition that a source publishes, and the accepted one, by their hashes.
  CREATE TABLE tool_source_tools (
    source_id TEXT NOT NULL,
    name TEXT NOT NULL,
    published_hash TEXT,
    accepted_hash TEXT,
    PRIMARY KEY (source_id, name)
  ) STRICT;

  -- Definitions never change. Executions keep the accepted ones with which they started.
  CREATE TABLE tool_source_definitions (
    source_id TEXT NOT NULL,
    name TEXT NOT NULL,
    hash TEXT NOT NULL,
    content TEXT NOT NULL,
    accepted_at INTEGER,
    withdrawn_at INTEGER,
    PRIMARY KEY (source_id, name, hash)
  ) STRICT;

  -- The sources to which the current versions of agents refer.
  CREATE TABLE agent_tool_sources (
    source_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    lists_all INTEGER NOT NULL,
    PRIMARY KEY (source_id, agent_id)
  ) STRICT;
  CREATE INDEX agent_tool_sources_by_agent ON agent_tool_sources (agent_id);
`;
