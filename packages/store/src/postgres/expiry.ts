import type { EventStore } from "../events/event-store.ts";
import { CLOCK_MARGIN_MS, UNUSED_ENDPOINT_MS } from "../retention/retention.ts";
import { type Database, named } from "./database.ts";
import { toStoreError } from "./store-error.ts";
import { EXCHANGE_BYTES } from "./stored-bytes.ts";

/** Replicas that delete at the same time skip each other's rows. */
const DELETE = named(`
  WITH old AS MATERIALIZED (
    SELECT execution_id, last_seq, octet_length(exchanges) AS bytes FROM appends
    WHERE exchanged_at < $1 ORDER BY exchanged_at LIMIT $3 FOR UPDATE SKIP LOCKED
  ), cleared AS (
    UPDATE appends a SET exchanged_at = NULL, exchanges = NULL FROM old o
    WHERE a.execution_id = o.execution_id AND a.last_seq = o.last_seq
    RETURNING a.execution_id, o.bytes
  ), exchanged AS (
    DELETE FROM exchanges WHERE attempt_id IN (
      SELECT attempt_id FROM exchanges WHERE created_at < $1 ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)
    RETURNING workspace_id, ${EXCHANGE_BYTES} AS bytes
  ), uncounted AS (
    INSERT INTO stored_bytes_changes (workspace_id, bytes)
    SELECT workspace_id, -sum(bytes) FROM (
      SELECT workspace_id, bytes FROM exchanged WHERE workspace_id IS NOT NULL
      UNION ALL SELECT e.workspace_id, c.bytes FROM cleared c JOIN executions e ON e.id = c.execution_id
    ) AS gone GROUP BY workspace_id
  ), redelivered AS (
    UPDATE redeliveries SET messages = NULL WHERE id IN (
      SELECT id FROM redeliveries WHERE messages IS NOT NULL AND at < $1 ORDER BY at LIMIT $3 FOR UPDATE SKIP LOCKED)
    RETURNING 1
  ), keyed AS (
    DELETE FROM idempotency_keys WHERE (scope, key) IN (
      SELECT scope, key FROM idempotency_keys WHERE expires_at <= $2 ORDER BY expires_at LIMIT $3
      FOR UPDATE SKIP LOCKED)
    RETURNING 1
  ), signed AS (
    DELETE FROM oauth_sign_ins WHERE source_id IN (
      SELECT source_id FROM oauth_sign_ins WHERE expires_at <= $2 ORDER BY expires_at LIMIT $3
      FOR UPDATE SKIP LOCKED)
    RETURNING 1
  ), visiting AS (
    DELETE FROM console_sessions WHERE token_hash IN (
      SELECT token_hash FROM console_sessions WHERE expires_at <= $2 ORDER BY expires_at LIMIT $3
      FOR UPDATE SKIP LOCKED)
    RETURNING 1
  ), linked AS (
    DELETE FROM console_links WHERE secret_hash IN (
      SELECT secret_hash FROM console_links WHERE expires_at <= $2 ORDER BY expires_at LIMIT $3
      FOR UPDATE SKIP LOCKED)
    RETURNING 1
  ), unused AS (
    DELETE FROM endpoints WHERE id IN (
      SELECT id FROM endpoints WHERE disabled_at IS NULL AND used_at < $4 ORDER BY used_at LIMIT $3
      FOR UPDATE SKIP LOCKED)
    RETURNING 1
  ), limited AS (
    DELETE FROM rate_limits WHERE key IN (
      SELECT key FROM rate_limits WHERE expires_at <= $5 ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED)
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM cleared) + (SELECT count(*) FROM exchanged) + (SELECT count(*) FROM keyed)
    + (SELECT count(*) FROM signed) + (SELECT count(*) FROM visiting) + (SELECT count(*) FROM linked)
    + (SELECT count(*) FROM redelivered)
    + (SELECT count(*) FROM unused) + (SELECT count(*) FROM limited) AS count`);

/** Creates `EventStore.deleteExpired`. */
export function createExpiry(database: Database, exchangeRetentionMs: number): EventStore["deleteExpired"] {
  return async (now, limit) => {
    try {
      const values = [now - exchangeRetentionMs, now, limit, now - UNUSED_ENDPOINT_MS, now - CLOCK_MARGIN_MS];
      const [row] = await database.run<{ count: number }>("writes", DELETE, values);
      return row?.count ?? 0;
    } catch (error) {
      throw toStoreError(error);
    }
  };
}
