import type { ExecutionEvent } from "@yagate/protocol";
import { openSqliteStore } from "../../packages/gateway/src/journal/sqlite.ts";

/** The events of executions as the journal's file has them; the gateway must not run. */
export async function journalOf(
  dataDir: string,
  executionIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ExecutionEvent[]>> {
  const store = await openSqliteStore({ dataDir });
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
