/** Browsers that are signed in to the console, and the links that sign one in. */
export const consoleSessions0031 = `
  CREATE TABLE console_sessions (
    -- SHA-256 in hex.
    token_hash text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    -- The API key with which the browser signed in; null for the key of the configuration.
    key_id text COLLATE "C",
    key_proof text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    used_at bigint NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE INDEX console_sessions_by_expiry ON console_sessions (expires_at);

  CREATE TABLE console_links (
    secret_hash text COLLATE "C" PRIMARY KEY,
    expires_at bigint NOT NULL
  );
  CREATE INDEX console_links_by_expiry ON console_links (expires_at);
`;
