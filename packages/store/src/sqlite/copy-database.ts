import { existsSync } from "node:fs";
import { YagateError } from "@yagate/protocol";
import { SqliteConnection } from "./connection.ts";
import { assertOwnDatabase } from "./migrations/migrate.ts";
import { toStoreError } from "./store-error.ts";

/**
 * Copies a journal as it stands at one moment, over a connection of its own that only reads. A write-ahead log lets it
 * read that moment while its gateway goes on writing.
 *
 * @param target - an empty file.
 * @throws YagateError `UNAVAILABLE`: there is no journal, it is not ours or damaged, or the copy is.
 */
export async function copyDatabase(source: string, target: string): Promise<void> {
  if (!existsSync(source)) throw new YagateError("UNAVAILABLE", `there is no journal ${source}`);
  try {
    const connection = new SqliteConnection(source, { isReadOnly: true });
    try {
      assertOwnDatabase(connection, source);
      await connection.copyTo(target);
    } finally {
      connection.close();
    }
    assertWhole(target);
  } catch (error) {
    throw toStoreError(error);
  }
}

/** A copy that can't be read is found now and not when it is needed. */
function assertWhole(path: string): void {
  const copy = new SqliteConnection(path);
  try {
    const found = copy.prepare<{ quick_check: string }>("PRAGMA quick_check(1)").get()?.quick_check;
    if (found !== "ok") throw new YagateError("UNAVAILABLE", `the copy ${path} is damaged, and so is the journal`);
  } finally {
    copy.close();
  }
}
