import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SqliteConnection } from "./connection.ts";
import { JOURNAL_FILE } from "./data-directory.ts";
import { toStoreError } from "./store-error.ts";

/** Reads a setting through a separate read-only connection. @throws YagateError `UNAVAILABLE`. */
export function readFileSetting(dataDir: string, name: string): string | undefined {
  const path = join(dataDir, JOURNAL_FILE);
  if (!existsSync(path)) return undefined;
  try {
    const connection = new SqliteConnection(placeOf(path), { isReadOnly: true });
    try {
      const hasTable = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'settings'").get() !== undefined;
      if (!hasTable) return undefined;
      return connection.prepare<{ value: string }>("SELECT value FROM settings WHERE name = ?").get(name)?.value;
    } finally {
      connection.close();
    }
  } catch (error) {
    throw toStoreError(error);
  }
}

/**
 * Without a write-ahead log, no gateway uses the file. SQLite would create a log, which a gateway of another user could
 * not open.
 */
function placeOf(path: string): string | URL {
  if (existsSync(`${path}-wal`)) return path;
  const place = pathToFileURL(path);
  place.searchParams.set("immutable", "1");
  return place;
}
