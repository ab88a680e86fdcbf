import { existsSync } from "node:fs";
import { YagateError } from "@yagate/protocol";
import { SqliteConnection } from "./connection.ts";
import { assertOwnDatabase } from "./migrations/migrate.ts";
import { toStoreError } from "./store-error.ts";

/**
 * Copies a consistent snapshot of a store through a separate read-only connection. The gateway can continue to write,
 * because the store uses a write-ahead log.
 *
 * @param target - an empty file.
 * @throws YagateError `UNAVAILABLE` if there is no store, if the file belongs to another program, or if the store or
 *   the copy is damaged.
 */
export async function copyDatabase(source: string, target: string): Promise<void> {
  if (!existsSync(source))
    throw new YagateError("UNAVAILABLE", `expected a store at ${source}: the file does not exist`);
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

/** Checks a copy for damage, so that the damage is found now and not when the copy is needed. */
function assertWhole(path: string): void {
  const copy = new SqliteConnection(path);
  try {
    const found = copy.prepare<{ quick_check: string }>("PRAGMA quick_check(1)").get()?.quick_check;
    if (found !== "ok") throw new YagateError("UNAVAILABLE", `the copy ${path} is damaged, and so is the store`);
  } finally {
    copy.close();
  }
}
