import type { ExecutionJournal } from "../port.ts";
import { UNUSED_ENDPOINT_MS } from "../retention.ts";
import type { SqliteConnection } from "./connection.ts";
import type { GroupCommit } from "./group-commit.ts";

/** Makes `ExecutionJournal.deleteExpired`. The pages that it frees are used again; the file does not shrink. */
export function createExpiry(
  connection: SqliteConnection,
  commits: GroupCommit,
  exchangeRetentionMs: number,
): ExecutionJournal["deleteExpired"] {
  const deleteExchanges = connection.prepare(
    `DELETE FROM exchanges WHERE rowid IN (SELECT rowid FROM exchanges ORDER BY rowid LIMIT ?) AND created_at < ?`,
  );
  const deleteKeys = connection.prepare(
    `DELETE FROM idempotency_keys WHERE (scope, key) IN
       (SELECT scope, key FROM idempotency_keys WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
  );
  const deleteEndpoints = connection.prepare(
    `DELETE FROM endpoints WHERE id IN
       (SELECT id FROM endpoints WHERE disabled_at IS NULL AND used_at < ? ORDER BY used_at LIMIT ?)`,
  );
  return (now, limit) =>
    commits.write(
      () =>
        deleteExchanges.run(limit, now - exchangeRetentionMs) +
        deleteKeys.run(now, limit) +
        deleteEndpoints.run(now - UNUSED_ENDPOINT_MS, limit),
    );
}
