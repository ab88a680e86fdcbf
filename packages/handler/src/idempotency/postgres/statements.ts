/** Returns the statements for a table, including those that create it. */
export function postgresStatements(table: string, indexName: string) {
  /** The SQL condition under which a claim with the fingerprint $3 and the holder $4 gets an existing entry. */
  const isOpen = `(call.expires_at <= clock_timestamp()
    OR (call.fingerprint = $3 AND (call.state = 'released'
      OR (call.state = 'running' AND (call.holder = $4 OR call.lapses_at <= clock_timestamp())))))`;
  const lapsesAfter = "$5::double precision * interval '1 millisecond'";
  const keepFor = "$6::bigint * interval '1 millisecond'";
  return {
    create: `
      CREATE TABLE IF NOT EXISTS ${table} (
        tenant text COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL,
        fingerprint text NOT NULL,
        holder text NOT NULL,
        state text NOT NULL CHECK (state IN ('running', 'released', 'finished')),
        lapses_at timestamptz NOT NULL,
        keep_for_ms bigint NOT NULL,
        expires_at timestamptz NOT NULL,
        status integer,
        attempt integer,
        body text,
        PRIMARY KEY (tenant, key)
      );
      CREATE INDEX IF NOT EXISTS ${indexName} ON ${table} (expires_at);`,
    // Always returns one row. If the claim fails, the row shows the entry as it was when the statement started. If
    // is_open is true in that row, the entry could be claimed at that time, but another claim was faster.
    claim: `
      WITH claimed AS (
        INSERT INTO ${table} AS call (tenant, key, fingerprint, holder, state, lapses_at, keep_for_ms, expires_at)
        VALUES ($1, $2, $3, $4, 'running', clock_timestamp() + ${lapsesAfter}, $6,
          clock_timestamp() + ${lapsesAfter} + ${keepFor})
        ON CONFLICT (tenant, key) DO UPDATE SET
          fingerprint = excluded.fingerprint, holder = excluded.holder, state = 'running',
          lapses_at = excluded.lapses_at, keep_for_ms = excluded.keep_for_ms, expires_at = excluded.expires_at,
          status = NULL, attempt = NULL, body = NULL
        WHERE ${isOpen}
        RETURNING call.key
      )
      SELECT EXISTS (SELECT FROM claimed) AS is_claimed, COALESCE(${isOpen}, TRUE) AS is_open,
        call.fingerprint, call.state, call.status, call.attempt,
        CASE WHEN call.state = 'finished' THEN call.body END AS body
      FROM (SELECT) AS always LEFT JOIN ${table} AS call ON call.tenant = $1 AND call.key = $2`,
    end: `
      UPDATE ${table} SET state = $4, status = $5, attempt = $6, body = $7,
        expires_at = clock_timestamp() + keep_for_ms * interval '1 millisecond'
      WHERE tenant = $1 AND key = $2 AND holder = $3 AND state <> 'finished'
      RETURNING key`,
    look: `
      SELECT state, (extract(epoch FROM lapses_at - clock_timestamp()) * 1000)::double precision AS lapses_in_ms,
        status, attempt, body
      FROM ${table} WHERE tenant = $1 AND key = $2`,
    // The index can be used with the time of the statement, but not with the current time of the clock.
    removeExpired: `
      WITH expired AS MATERIALIZED (
        SELECT tenant, key FROM ${table} WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
      )
      DELETE FROM ${table} AS call USING expired WHERE call.tenant = expired.tenant AND call.key = expired.key
      RETURNING call.key`,
  };
}
