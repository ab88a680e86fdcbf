import { stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The write-ahead log of the store in a data directory. */
export function openSqliteLog(dataDir: string) {
  const path = join(dataDir, "journal.db");
  return {
    empty(): void {
      const database = new DatabaseSync(path);
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      database.close();
    },
    async size(): Promise<number> {
      return (await stat(`${path}-wal`)).size;
    },
  };
}
