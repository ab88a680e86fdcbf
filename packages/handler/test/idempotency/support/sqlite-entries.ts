import { mkdtemp, rm } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entries } from "./entries.ts";

/** Whether this Node has SQLite; Node 20 has not. */
export const hasSqlite = isBuiltin("node:sqlite");

/** Entries in a file of their own. */
export async function createSqliteEntries(): Promise<Entries> {
  const { DatabaseSync } = await import("node:sqlite");
  const folder = await mkdtemp(join(tmpdir(), "yagate-idempotency-"));
  const location = join(folder, "calls.db");
  const database = new DatabaseSync(location, { timeout: 5_000 });
  database.exec("PRAGMA journal_mode = WAL");
  return {
    place: { kind: "node:sqlite", location },
    async age(durationMs) {
      const times = "lapses_at_ms = lapses_at_ms - ?1, expires_at_ms = expires_at_ms - ?1";
      database.prepare(`UPDATE yagate_calls SET ${times}`).run(durationMs);
    },
    async count() {
      return Number(database.prepare("SELECT count(*) AS entries FROM yagate_calls").get()?.["entries"]);
    },
    async remove() {
      database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
