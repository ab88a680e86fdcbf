import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { YagateError } from "@yagate/protocol";
import { type Keyring, parseMasterKeys } from "./keyring.ts";

/** The name of the file in a data directory that contains the directory's master keys. */
export const KEY_FILE = "master.key";
const KEY_BYTES = 32;
const WORLD_BITS = 0o007;

function syncDirectory(dataDir: string): void {
  // Windows cannot open a directory and does not need this call.
  if (process.platform === "win32") return;
  const directory = openSync(dataDir, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/**
 * Creates the key file and writes it completely before anything is encrypted with its key, because every encrypted
 * value is unreadable without it. If another process created the file in the meantime, that file is kept.
 */
function createKeyFile(dataDir: string, path: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${randomBytes(4).toString("hex")}.new`;
  const file = openSync(unfinished, "wx", 0o600);
  try {
    writeSync(file, `file-${randomBytes(4).toString("hex")}:${randomBytes(KEY_BYTES).toString("base64")}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    if (!existsSync(path)) linkSync(unfinished, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
  syncDirectory(dataDir);
}

/**
 * Creates the error for a missing key file. A new key must not be created, because it could not decrypt any stored
 * value.
 */
function missing(path: string): YagateError {
  return new YagateError(
    "NOT_CONFIGURED",
    `the master key that encrypted the data is missing: restore the file ${path}, or set YAGATE_MASTER_KEYS`,
  );
}

function readKeyFile(path: string): string {
  const file = openSync(path, "r");
  try {
    // Access by a group may be necessary, for the `fsGroup` of Kubernetes; access by every user never is.
    if (process.platform !== "win32" && (fstatSync(file).mode & WORLD_BITS) !== 0) {
      throw new YagateError("NOT_CONFIGURED", `every user of this machine can read ${path}: run chmod 600 on it`);
    }
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/**
 * Reads the master keys from `master.key` in the data directory, and creates the file (mode 0600) if it is missing.
 * Used by `yagate dev` and embedded gateways. The file has the format of `YAGATE_MASTER_KEYS`, with one entry per line.
 * Processes that call this at the same time get the same keys.
 *
 * @param options.isSealed - whether the store contains encrypted values, so that no new key is created. Default false.
 * @throws YagateError `NOT_CONFIGURED` if every user can read the file, if it does not contain master keys, or if it is
 *   missing although the store is encrypted; `UNAVAILABLE` if it cannot be read or created.
 */
export function loadOrCreateKeyFile(
  dataDir: string,
  { isSealed = false }: { readonly isSealed?: boolean } = {},
): Keyring {
  const path = join(dataDir, KEY_FILE);
  let text: string;
  try {
    if (!existsSync(path)) {
      if (isSealed) throw missing(path);
      createKeyFile(dataDir, path);
    }
    text = readKeyFile(path);
  } catch (cause) {
    if (YagateError.is(cause)) throw cause;
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason";
    throw new YagateError("UNAVAILABLE", `the master key file ${path} cannot be read or created: ${reason}`, { cause });
  }
  try {
    return parseMasterKeys(text);
  } catch (cause) {
    throw new YagateError("NOT_CONFIGURED", `the file ${path} does not contain master keys: restore it from a backup`, {
      cause,
    });
  }
}
