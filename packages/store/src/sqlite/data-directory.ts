import { closeSync, mkdirSync, openSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { YagateError } from "@yagate/protocol";
import { isBusy, storageFailureOf } from "./store-error.ts";

/** The database file in a data directory. */
export const JOURNAL_FILE = "journal.db";
const LOCK_FILE = "lock.db";

/** A data directory that this process has locked. */
export interface DataDirectory {
  /** Absolute; the file exists. */
  readonly databasePath: string;
  release(): void;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Creates a file that only its owner can access, if it does not exist. SQLite gives its side files the same mode. */
function createPrivateFile(path: string): void {
  try {
    // Exclusive, so that an existing file is not opened: closing it would release the locks that this process has on
    // it.
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/**
 * Locks a data directory for this process, and creates it (mode 0700) if it does not exist. The lock is an SQLite lock
 * on an empty database, so it ends with the process.
 *
 * @throws YagateError `UNAVAILABLE`, with the path in the message, if another process uses the directory or this
 *   process cannot write to it.
 */
export function takeDataDirectory(dataDir: string): DataDirectory {
  const path = resolve(dataDir);
  let lock: DatabaseSync | undefined;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const lockPath = join(path, LOCK_FILE);
    createPrivateFile(lockPath);
    lock = new DatabaseSync(lockPath, { timeout: 0 });
    lock.exec("BEGIN EXCLUSIVE");
    createPrivateFile(join(path, JOURNAL_FILE));
  } catch (cause) {
    lock?.close();
    const message = isBusy(cause)
      ? `the data directory ${path} is used by another process: stop that process, or choose another directory`
      : `the data directory ${path} cannot be used: ${storageFailureOf(cause) ?? codeOf(cause) ?? "unknown reason"}`;
    throw new YagateError("UNAVAILABLE", message, { cause });
  }
  const held = lock;
  return { databasePath: join(path, JOURNAL_FILE), release: () => held.isOpen && held.close() };
}
