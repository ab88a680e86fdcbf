/** Plans of workspaces, integrations, and counts of recent calls. */
export const integrations0009 = `
  ALTER TABLE workspaces ADD COLUMN plan TEXT NOT NULL DEFAULT 'standard';

  CREATE TABLE integrations (
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    definition TEXT NOT NULL,
    PRIMARY KEY (workspace_id, name)
  ) STRICT, WITHOUT ROWID;

  -- A row has the moments of all calls that may still count.
  CREATE TABLE rate_limits (
    key TEXT NOT NULL PRIMARY KEY,
    moments TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX rate_limits_by_age ON rate_limits (expires_at);
`;
