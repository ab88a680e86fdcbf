/** The agents that MCP hosts may execute, under the names of their tools. */
export const exposedAgents0017 = `
  CREATE TABLE exposed_agents (
    workspace_id TEXT NOT NULL,
    tool_name TEXT NOT NULL,
    agent_id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    PRIMARY KEY (workspace_id, tool_name)
  ) STRICT, WITHOUT ROWID;
`;
