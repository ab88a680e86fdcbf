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
import { KEY_FILE } from "@yagate/secrets/key-file";
import { copyDatabase } from "@yagate/store/sqlite/copy-database";
import { JOURNAL_FILE } from "@yagate/store/sqlite/data-directory";
import { completeConfig, type GatewayConfig } from "./config/gateway-config.ts";

/** The result of a backup. */
export interface BackupReport {
  /** Absolute path of the copy, which is a complete data directory. */
  readonly folder: string;
  /** Size of the copied store in bytes. */
  readonly journalBytes: number;
  /** Whether the copy includes `master.key`. */
  readonly hasMasterKey: boolean;
  /** Whether the data directory has a `master.key`. If not, the master keys are in the configuration. */
  readonly isKeyInFile: boolean;
}

/**
 * Copies a data directory as it is at one point in time, even while a gateway uses it. The copy contains every commit
 * before that time and none after it. Copying does not block the event loop; checking the copy afterwards does.
 *
 * @param folder - path of the copy, which a gateway can use as its data directory. The folder must be empty or must not
 *   exist; a new one gets the mode 0700.
 * @param options.withMasterKey - whether to copy `master.key` too. Anyone with the copy can then read its secrets.
 *   Default false.
 * @throws YagateError `INVALID_REQUEST` if the configuration has a `databaseUrl` or the folder is not empty;
 *   `UNAVAILABLE` if there is no store, or if it cannot be read or copied. An incomplete copy cannot be used as a
 *   store.
 */
export async function backupDataDirectory(
  config: GatewayConfig,
  folder: string,
  { withMasterKey = false }: { readonly withMasterKey?: boolean } = {},
): Promise<BackupReport> {
  const { dataDir, databaseUrl } = completeConfig(config);
  if (databaseUrl !== undefined) {
    throw new YagateError("INVALID_REQUEST", "expected a data directory; copy a PostgreSQL database with pg_dump");
  }
  const target = resolve(folder);
  const keyPath = join(dataDir, KEY_FILE);
  const isKeyInFile = existsSync(keyPath);
  const unfinished = join(target, `${JOURNAL_FILE}.part`);
  try {
    makeEmptyFolder(target);
    closeSync(openSync(unfinished, "wx", 0o600));
    await copyDatabase(join(dataDir, JOURNAL_FILE), unfinished);
    if (withMasterKey && isKeyInFile) {
      await copyFile(keyPath, join(target, KEY_FILE));
      chmodSync(join(target, KEY_FILE), 0o600);
      sync(join(target, KEY_FILE));
    }
    sync(unfinished);
    // The copy gets its final name only when it is complete.
    renameSync(unfinished, join(target, JOURNAL_FILE));
    // Windows cannot open a directory, and does not need this call.
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
  throw new YagateError("INVALID_REQUEST", `expected a new or empty folder for the backup; ${path} is not empty`);
}

function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
