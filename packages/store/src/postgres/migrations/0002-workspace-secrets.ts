/** Workspace secrets, and the model providers that use them. */
export const workspaceSecrets0002 = `
  CREATE TABLE workspace_secrets (
    workspace_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    sealed text NOT NULL,
    auth text NOT NULL,
    hosts text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (workspace_id, name)
  );

  CREATE TABLE workspace_providers (
    workspace_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    secret_name text NOT NULL,
    base_url text,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (workspace_id, name)
  );
`;
