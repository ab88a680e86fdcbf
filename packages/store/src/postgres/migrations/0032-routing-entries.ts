/** The intents and capabilities of workspaces. */
export const routingEntries0032 = `
  CREATE TABLE routing_entries (
    workspace_id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    definition text NOT NULL,
    PRIMARY KEY (workspace_id, kind, name)
  );
`;
