import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { YagateError } from "@yagate/protocol";
import { copyJournal } from "@yagate/store/sqlite/copy-journal";
import { JOURNAL_FILE } from "@yagate/store/sqlite/data-directory";
import { completeConfig, type GatewayConfig } from "./config/gateway-config.ts";
import { KEY_FILE } from "./secrets/key-file.ts";

/** What a backup holds. */
export interface BackupReport {
  /** Absolute; a data directory of its own. */
  readonly folder: string;
  readonly journalBytes: number;
  /** Whether the folder holds the master key, too. */
  readonly hasMasterKey: boolean;
  /** Whether there is a file of it in the data directory: without one the keys are in the configuration. */
  readonly isKeyInFile: boolean;
}

/**
 * Copies a data directory as it stands at one moment, whether a gateway uses it or not. It goes on undisturbed. What
 * every commit before this moment wrote is in the copy, and nothing of any later one.
 *
 * @param folder - is made (mode 0700); empty if it is there. A gateway can be started on it.
 * @param options.withMasterKey - copy `master.key`, too: whoever gets the folder then can read every secret in it.
 * @throws YagateError `INVALID_REQUEST`: there is a `databaseUrl`, or the folder is not empty. `UNAVAILABLE`: there is
 * no journal, or it can't be read or copied; what was copied so far is no journal then.
 */
export async function backupDataDirectory(
  config: GatewayConfig,
  folder: string,
  { withMasterKey = false }: { readonly withMasterKey?: boolean } = {},
): Promise<BackupReport> {
  const { dataDir, databaseUrl } = completeConfig(config);
  if (databaseUrl !== undefined) {
    throw new YagateError("INVALID_REQUEST", "expected a data directory: what is in PostgreSQL is copied with pg_dump");
  }
  const target = resolve(folder);
  const keyPath = join(dataDir, KEY_FILE);
  const isKeyInFile = existsSync(keyPath);
  const unfinished = join(target, `${JOURNAL_FILE}.part`);
  try {
    makeEmptyFolder(target);
    closeSync(openSync(unfinished, "wx", 0o600));
    await copyJournal(join(dataDir, JOURNAL_FILE), unfinished);
    if (withMasterKey && isKeyInFile) {
      await copyFile(keyPath, join(target, KEY_FILE));
      chmodSync(join(target, KEY_FILE), 0o600);
      sync(join(target, KEY_FILE));
    }
    sync(unfinished);
    // Only now it has the name of a journal.
    renameSync(unfinished, join(target, JOURNAL_FILE));
    // Windows cannot open a directory, and needs no such call.
    if (process.platform !== "win32") sync(target);
  } catch (cause) {
    rmSync(unfinished, { force: true });
    if (YagateError.is(cause)) throw cause;
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason";
    throw new YagateError("UNAVAILABLE", `the backup in ${target} could not be written: ${reason}`, { cause });
  }
  return {
    folder: target,
    journalBytes: statSync(join(target, JOURNAL_FILE)).size,
    hasMasterKey: withMasterKey && isKeyInFile,
    isKeyInFile,
  };
}

function makeEmptyFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (readdirSync(path).length === 0) return;
  throw new YagateError(
    "INVALID_REQUEST",
    `expected a new or an empty folder for the backup, and ${path} is not empty`,
  );
}

function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
