import type { ExecutionEvent } from "@yagate/protocol";
import { openPostgresStore } from "../../packages/gateway/src/journal/postgres.ts";
import { openSqliteStore } from "../../packages/gateway/src/journal/sqlite.ts";

/**
 * The events of executions as the journal has them.
 *
 * @param place - a data directory, whose gateway must not run, or the URL of a database.
 */
export async function journalOf(
  place: string,
  executionIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ExecutionEvent[]>> {
  const isDatabase = place.startsWith("postgres:");
  const store = await (isDatabase ? openPostgresStore({ databaseUrl: place }) : openSqliteStore({ dataDir: place }));
  try {
    const entries = executionIds.map(async (id) => {
      const found = await store.journal.entries(id, 0);
      return [id, found.map(({ event }) => event)] as const;
    });
    return new Map(await Promise.all(entries));
  } finally {
    await store.close();
  }
}
