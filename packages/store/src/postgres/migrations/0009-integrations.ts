/** Plans of workspaces, integrations, and counts of recent calls. */
export const integrations0009 = `
  ALTER TABLE workspaces ADD COLUMN plan text NOT NULL DEFAULT 'standard';

  CREATE TABLE integrations (
    workspace_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    definition text NOT NULL,
    PRIMARY KEY (workspace_id, name)
  );

  -- A row has the moments of all calls that may still count.
  CREATE TABLE rate_limits (
    key text COLLATE "C" NOT NULL PRIMARY KEY,
    moments text NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE INDEX rate_limits_by_age ON rate_limits (expires_at);
`;
