import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Makes this process the one that writes an index: SQLite's own lock on an empty database beside it, which ends with the
 * process, however that ends.
 *
 * @returns what gives it back; `undefined` while another process has it.
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
