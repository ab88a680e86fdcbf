/** The SQL expression for SQLite's clock in ms since the epoch. Its value does not change during a statement. */
const NOW_MS = "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)";

/** Returns the statements for a table with this name. */
export function sqliteStatements(table: string) {
  // The condition under which a claim gets an existing entry. The parameters are a fingerprint and a holder, in this
  // order.
  const isOpen = (fingerprint: string, holder: string) =>
    `("${table}".expires_at_ms <= ${NOW_MS}
      OR ("${table}".fingerprint = ${fingerprint} AND ("${table}".state = 'released'
        OR ("${table}".state = 'running' AND ("${table}".holder = ${holder} OR "${table}".lapses_at_ms <= ${NOW_MS})))))`;
  return {
    create: `
      CREATE TABLE IF NOT EXISTS "${table}" (
        tenant TEXT NOT NULL,
        key TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        holder TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('running', 'released', 'finished')),
        lapses_at_ms INTEGER NOT NULL,
        keep_for_ms INTEGER NOT NULL,
        expires_at_ms INTEGER NOT NULL,
        status INTEGER,
        attempt INTEGER,
        body TEXT,
        PRIMARY KEY (tenant, key)
      );
      CREATE INDEX IF NOT EXISTS "${table}_expiry" ON "${table}" (expires_at_ms);`,
    claim: `
      INSERT INTO "${table}" (tenant, key, fingerprint, holder, state, lapses_at_ms, keep_for_ms, expires_at_ms)
      VALUES (?, ?, ?, ?, 'running', ${NOW_MS} + ?, ?, ${NOW_MS} + ?)
      ON CONFLICT (tenant, key) DO UPDATE SET
        fingerprint = excluded.fingerprint, holder = excluded.holder, state = 'running',
        lapses_at_ms = excluded.lapses_at_ms, keep_for_ms = excluded.keep_for_ms,
        expires_at_ms = excluded.expires_at_ms, status = NULL, attempt = NULL, body = NULL
      WHERE ${isOpen("excluded.fingerprint", "excluded.holder")}`,
    refusal: `
      SELECT fingerprint, state, ${isOpen("?", "?")} AS is_open, status, attempt, body
      FROM "${table}" WHERE tenant = ? AND key = ?`,
    end: `
      UPDATE "${table}" SET state = ?, status = ?, attempt = ?, body = ?, expires_at_ms = ${NOW_MS} + keep_for_ms
      WHERE tenant = ? AND key = ? AND holder = ? AND state <> 'finished'`,
    look: `
      SELECT state, lapses_at_ms - ${NOW_MS} AS lapses_in_ms, status, attempt, body
      FROM "${table}" WHERE tenant = ? AND key = ?`,
    removeExpired: `
      DELETE FROM "${table}" WHERE rowid IN (
        SELECT rowid FROM "${table}" WHERE expires_at_ms <= ${NOW_MS} ORDER BY expires_at_ms LIMIT ?)`,
  };
}
