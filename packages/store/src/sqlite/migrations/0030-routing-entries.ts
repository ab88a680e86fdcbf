/** The intents and capabilities of workspaces. */
export const routingEntries0030 = `
  CREATE TABLE routing_entries (
    workspace_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    definition TEXT NOT NULL,
    PRIMARY KEY (workspace_id, kind, name)
  ) STRICT, WITHOUT ROWID;
`;
