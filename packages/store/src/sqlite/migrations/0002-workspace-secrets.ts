/** Workspace secrets, and the model providers that use them. */
export const workspaceSecrets0002 = `
  CREATE TABLE workspace_secrets (
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    sealed TEXT NOT NULL,
    auth TEXT NOT NULL,
    hosts TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE workspace_providers (
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    secret_name TEXT NOT NULL,
    base_url TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, name)
  ) STRICT, WITHOUT ROWID;
`;
