import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import type { EventStore } from "../events/event-store.ts";
import { CLOCK_MARGIN_MS, UNUSED_ENDPOINT_MS } from "../retention/retention.ts";
import type { SqliteConnection } from "./connection.ts";
import type { GroupCommit } from "./group-commit.ts";
import { createUncounting } from "./stored-bytes.ts";

/** Rows per read. The next search continues where the last one ended. */
const ROWS_PER_LOOK = 250;
const LOOKS_PER_SEARCH = 20;

/** Creates `EventStore.deleteExpired`. Freed pages are reused; the file does not shrink. */
export function createExpiry(
  connection: SqliteConnection,
  commits: GroupCommit,
  exchangeRetentionMs: number,
): EventStore["deleteExpired"] {
  const first = connection.prepare<{ id: string }>(
    `SELECT attempt_id AS id FROM exchanges
     WHERE rowid IN (SELECT rowid FROM exchanges ORDER BY rowid LIMIT ?) AND created_at < ?`,
  );
  const deleteThese = connection.prepare(
    "DELETE FROM exchanges WHERE attempt_id IN (SELECT value FROM json_each(?)) AND created_at < ?",
  );
  const withOldMessages = connection.prepare<{ row: number }>(
    "SELECT rowid AS row FROM appends WHERE exchanged_at < ? ORDER BY exchanged_at LIMIT ?",
  );
  const clearThese = connection.prepare(
    "UPDATE appends SET exchanged_at = NULL, exchanges = NULL WHERE rowid IN (SELECT value FROM json_each(?))",
  );
  const deleteKeys = connection.prepare(
    `DELETE FROM idempotency_keys WHERE (scope, key) IN
       (SELECT scope, key FROM idempotency_keys WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
  );
  const deleteEndpoints = connection.prepare(
    `DELETE FROM endpoints WHERE id IN
       (SELECT id FROM endpoints WHERE disabled_at IS NULL AND used_at < ? ORDER BY used_at LIMIT ?)`,
  );
  const deleteLimits = connection.prepare(
    `DELETE FROM rate_limits WHERE key IN
       (SELECT key FROM rate_limits WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
  );
  const clearRedeliveries = connection.prepare(
    `UPDATE redeliveries SET messages = NULL WHERE id IN
       (SELECT id FROM redeliveries WHERE messages IS NOT NULL AND at < ? ORDER BY at LIMIT ?)`,
  );
  const deleteSignIns = connection.prepare(
    `DELETE FROM oauth_sign_ins WHERE source_id IN
       (SELECT source_id FROM oauth_sign_ins WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
  );
  const deleteSessions = connection.prepare(
    `DELETE FROM console_sessions WHERE token_hash IN
       (SELECT token_hash FROM console_sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
  );
  const deleteLinks = connection.prepare(
    `DELETE FROM console_links WHERE secret_hash IN
       (SELECT secret_hash FROM console_links WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
  );
  const look = connection.prepare<{ row: number; id: string; created_at: number }>(
    "SELECT rowid AS row, attempt_id AS id, created_at FROM exchanges WHERE rowid > ? ORDER BY rowid LIMIT ?",
  );
  const uncounting = createUncounting(connection);
  let lookedUpTo = 0;

  /** Deletes rows of `exchanges` in the current transaction. @param rows - all older than `before`. */
  function deleteExchanges(rows: readonly { readonly id: string }[], before: number): number {
    if (rows.length === 0) return 0;
    const idsJson = JSON.stringify(rows.map(({ id }) => id));
    uncounting.takeOff("exchanges", idsJson);
    const deleted = deleteThese.run(idsJson, before);
    uncounting.moveBack("exchanges");
    return deleted;
  }

  /** Deletes the messages in appends, in the current transaction. */
  function clearMessages(before: number, limit: number): number {
    const rows = withOldMessages.all(before, limit);
    if (rows.length === 0) return 0;
    const rowsJson = JSON.stringify(rows.map(({ row }) => row));
    uncounting.takeOffExchanges(rowsJson);
    return clearThese.run(rowsJson);
  }

  /**
   * Deletes old rows that are stored after newer ones. Rows are stored in the order of insertion, so this happens only
   * if the clock was wrong.
   */
  async function deleteBehind(before: number, limit: number): Promise<number> {
    for (let looks = 0; looks < LOOKS_PER_SEARCH; looks += 1) {
      const rows = await connection.read(() => look.all(lookedUpTo, ROWS_PER_LOOK));
      const old = rows.filter(({ created_at }) => created_at < before);
      if (old.length > 0) {
        const batch = old.slice(0, limit);
        const deleted = await commits.write(() => deleteExchanges(batch, before));
        lookedUpTo = batch.at(-1)?.row ?? lookedUpTo;
        return deleted;
      }
      const last = rows.at(-1);
      lookedUpTo = last === undefined || rows.length < ROWS_PER_LOOK ? 0 : last.row;
      if (lookedUpTo === 0) return 0;
      await yieldToEventLoop();
    }
    return 0;
  }

  return async (now, limit) => {
    const before = now - exchangeRetentionMs;
    const deleted = await commits.write(
      () =>
        clearMessages(before, limit) +
        deleteExchanges(first.all(limit, before), before) +
        clearRedeliveries.run(before, limit) +
        deleteKeys.run(now, limit) +
        deleteSignIns.run(now, limit) +
        deleteSessions.run(now, limit) +
        deleteLinks.run(now, limit) +
        deleteEndpoints.run(now - UNUSED_ENDPOINT_MS, limit) +
        deleteLimits.run(now - CLOCK_MARGIN_MS, limit),
    );
    return deleted > 0 ? deleted : deleteBehind(before, limit);
  };
}
