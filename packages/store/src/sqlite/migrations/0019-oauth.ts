/** Sign-ins to the MCP servers of tool sources, and the tokens that they gave. */
export const oauth0019 = `
  CREATE TABLE oauth_grants (
    source_id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    issuer TEXT NOT NULL,
    resource TEXT NOT NULL,
    -- The client and the tokens: a JWE.
    sealed TEXT NOT NULL,
    revision INTEGER NOT NULL,
    -- Which process renews the tokens, and until when no other one does.
    renewing TEXT,
    renewing_until INTEGER,
    updated_at INTEGER NOT NULL
  ) STRICT;

  -- At most one sign-in per source.
  CREATE TABLE oauth_sign_ins (
    source_id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    -- SHA-256 in hex.
    state_hash TEXT NOT NULL UNIQUE,
    -- The API key that started the sign-in.
    key_id TEXT,
    issuer TEXT NOT NULL,
    resource TEXT NOT NULL,
    -- Before the issuer's response the verifier, after it the tokens: a JWE.
    sealed TEXT NOT NULL,
    used_at INTEGER,
    attempts INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX oauth_sign_ins_by_expiry ON oauth_sign_ins (expires_at);
`;
