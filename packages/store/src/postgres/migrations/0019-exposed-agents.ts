/** The agents that MCP hosts may execute, under the names of their tools. */
export const exposedAgents0019 = `
  CREATE TABLE exposed_agents (
    workspace_id text COLLATE "C" NOT NULL,
    tool_name text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL UNIQUE,
    title text NOT NULL,
    description text NOT NULL,
    PRIMARY KEY (workspace_id, tool_name)
  );
`;
