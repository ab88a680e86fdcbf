/** Browsers that are signed in to the console, and the links that sign one in. */
export const consoleSessions0029 = `
  CREATE TABLE console_sessions (
    -- SHA-256 in hex.
    token_hash TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    -- The API key with which the browser signed in; null for the key of the configuration.
    key_id TEXT,
    key_proof TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX console_sessions_by_expiry ON console_sessions (expires_at);

  CREATE TABLE console_links (
    secret_hash TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX console_links_by_expiry ON console_links (expires_at);
`;
