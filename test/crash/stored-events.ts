import type { ReceivedEvent } from "@yagate/protocol";
import { openPostgresStore } from "../../packages/store/src/postgres.ts";
import { openSqliteStore } from "../../packages/store/src/sqlite.ts";

/**
 * The events of executions as the journal has them.
 *
 * @param place - a data directory, whose gateway must not run, or the URL of a database.
 */
export async function storedEventsOf(
  place: string,
  executionIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ReceivedEvent[]>> {
  const isDatabase = place.startsWith("postgres:");
  const store = await (isDatabase ? openPostgresStore({ databaseUrl: place }) : openSqliteStore({ dataDir: place }));
  try {
    const logs = new Map<string, readonly ReceivedEvent[]>();
    // One after the other: all at once would wait longer for a connection than one may take.
    for (const id of executionIds) {
      const entries = await store.eventStore.entries(id, 0);
      logs.set(
        id,
        entries.map(({ event }) => event),
      );
    }
    return logs;
  } finally {
    await store.close();
  }
}
