/** Sign-ins to the MCP servers of tool sources, and the tokens that they gave. */
export const oauth0021 = `
  CREATE TABLE oauth_grants (
    source_id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    issuer text COLLATE "C" NOT NULL,
    resource text COLLATE "C" NOT NULL,
    -- The client and the tokens: a JWE.
    sealed text NOT NULL,
    revision bigint NOT NULL,
    -- Which process renews the tokens, and until when no other one does.
    renewing text COLLATE "C",
    renewing_until bigint,
    updated_at bigint NOT NULL
  );

  -- At most one sign-in per source.
  CREATE TABLE oauth_sign_ins (
    source_id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    -- SHA-256 in hex.
    state_hash text COLLATE "C" NOT NULL UNIQUE,
    -- The API key that started the sign-in.
    key_id text COLLATE "C",
    issuer text COLLATE "C" NOT NULL,
    resource text COLLATE "C" NOT NULL,
    -- Before the issuer's response the verifier, after it the tokens: a JWE.
    sealed text NOT NULL,
    used_at bigint,
    attempts integer NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE INDEX oauth_sign_ins_by_expiry ON oauth_sign_ins (expires_at);
`;
