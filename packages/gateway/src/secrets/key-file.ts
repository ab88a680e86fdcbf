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

/** Where a data directory keeps its master key. */
export const KEY_FILE = "master.key";
const KEY_BYTES = 32;
const WORLD_BITS = 0o007;

function syncDirectory(dataDir: string): void {
  // Windows cannot open a directory, and needs no such call.
  if (process.platform === "win32") return;
  const directory = openSync(dataDir, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/**
 * Whole and on the disk before anything is sealed with it: a lost key makes every sealed value unreadable. One that
 * another process has made meanwhile stays.
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

/** A new key would open nothing, and lie where the right one belongs. */
function missing(path: string): YagateError {
  return new YagateError(
    "NOT_CONFIGURED",
    `the data was sealed with a master key that is not here: restore the file ${path}, or set YAGATE_MASTER_KEYS`,
  );
}

function readKeyFile(path: string): string {
  const file = openSync(path, "r");
  try {
    // A group may be needed where a volume is shared by one (Kubernetes' fsGroup); everybody never is.
    if (process.platform !== "win32" && (fstatSync(file).mode & WORLD_BITS) !== 0) {
      throw new YagateError("NOT_CONFIGURED", `every user of this machine may read ${path}: chmod 600 it`);
    }
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/**
 * Reads the master key from the data directory's `master.key`, making it (mode 0600) when it is not there. For `dev`
 * and embedded gateways; the file has the form of `YAGATE_MASTER_KEYS`, one entry a line. Several processes may do so at
 * the same time: all get the same key.
 *
 * @param options.isSealed - the store holds what was sealed with master keys, so no new one is made. Default false.
 * @throws YagateError `NOT_CONFIGURED`: everybody may read the file, it does not hold master keys, or it is missing
 * beside a store that is sealed. `UNAVAILABLE`: it cannot be read or made.
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
    throw new YagateError("UNAVAILABLE", `the master key file ${path} cannot be read or made: ${reason}`, { cause });
  }
  try {
    return parseMasterKeys(text);
  } catch (cause) {
    throw new YagateError("NOT_CONFIGURED", `the file ${path} does not hold master keys; restore it from a backup`, {
      cause,
    });
  }
}
