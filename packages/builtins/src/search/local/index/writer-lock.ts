import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Makes this process the writer of an index by locking an empty SQLite database next to it. The lock never outlives the
 * process.
 *
 * @returns a function that releases the lock; `undefined` if another process holds it.
 */
export function takeWriterLock(indexFile: string): (() => void) | undefined {
  mkdirSync(dirname(indexFile), { recursive: true, mode: 0o700 });
  const path = `${indexFile}-lock`;
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return () => lock.close();
  } catch {
    lock.close();
    return undefined;
  }
}
