/**
 * The first schema, with the same tables as the SQLite store. Ids are TypeIDs, times are ms since the epoch, flags are
 * 0 or 1, and documents are JSON. The documents have the type `text`, which keeps their bytes, and not `jsonb`, which
 * does not allow the escape of U+0000.
 *
 * The columns that determine the order of lists are compared byte by byte (`COLLATE "C"`), regardless of the database's
 * locale. Pages of `executions` have free space for updated rows, so that most appends change no index.
 */
export const journal0001 = `
  CREATE TABLE executions (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    agent_id text NOT NULL,
    agent_version bigint NOT NULL,
    started_by_key_id text,
    created_at bigint NOT NULL,
    last_seq bigint NOT NULL,
    epoch bigint NOT NULL,
    owner text COLLATE "C",
    lease_until bigint NOT NULL,
    is_open integer NOT NULL,
    status text NOT NULL,
    summary text NOT NULL
  ) WITH (fillfactor = 70);
  CREATE INDEX executions_by_workspace ON executions (workspace_id, id);
  CREATE INDEX executions_open ON executions (lease_until, workspace_id) WHERE is_open = 1;
  CREATE INDEX executions_owned ON executions (owner) WHERE is_open = 1;

  -- Apart from the row above, of which every append makes a new version.
  CREATE TABLE execution_requests (
    execution_id text COLLATE "C" NOT NULL PRIMARY KEY,
    request text NOT NULL
  );

  CREATE TABLE appends (
    execution_id text COLLATE "C" NOT NULL,
    -- The number of the last event; the first one follows the row before.
    last_seq bigint NOT NULL,
    -- Made anew by whoever appends: after a lost connection it says whose row this is.
    token bigint NOT NULL,
    entries text NOT NULL,
    PRIMARY KEY (execution_id, last_seq)
  );

  -- Tool calls, and attempts with the call that they belong to.
  CREATE TABLE call_ids (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    execution_id text NOT NULL,
    tool_call_id text
  );

  CREATE TABLE exchanges (
    attempt_id text COLLATE "C" NOT NULL PRIMARY KEY,
    request text,
    response text,
    created_at bigint NOT NULL
  );
  CREATE INDEX exchanges_by_age ON exchanges (created_at);

  CREATE TABLE idempotency_keys (
    scope text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    body_hash text NOT NULL,
    execution_id text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    PRIMARY KEY (scope, key)
  );
  CREATE INDEX idempotency_keys_by_age ON idempotency_keys (expires_at);

  CREATE TABLE agents (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    archived_at bigint
  );
  CREATE INDEX agents_by_workspace ON agents (workspace_id, id);

  CREATE TABLE agent_versions (
    agent_id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    definition text NOT NULL,
    PRIMARY KEY (agent_id, version)
  );

  CREATE TABLE workspaces (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    created_at bigint NOT NULL
  );

  CREATE TABLE api_keys (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    hash text COLLATE "C" NOT NULL UNIQUE,
    scopes text NOT NULL,
    created_at bigint NOT NULL
  );
  CREATE INDEX api_keys_by_workspace ON api_keys (workspace_id, id);

  CREATE TABLE signing_secrets (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    sealed text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    is_seen integer NOT NULL
  );
  CREATE INDEX signing_secrets_by_workspace ON signing_secrets (workspace_id, name);

  CREATE TABLE endpoints (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    url text COLLATE "C" NOT NULL,
    disabled_at bigint,
    reason text,
    UNIQUE (workspace_id, url)
  );

  CREATE TABLE settings (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    value text NOT NULL
  );
`;
