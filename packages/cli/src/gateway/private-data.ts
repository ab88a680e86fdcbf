import { statSync } from "node:fs";
import { join } from "node:path";
import type { CompleteConfig } from "@yagate/gateway";
import { YagateError } from "@yagate/protocol";
import { shellWord } from "../text/shell-word.ts";

const GROUP_AND_OTHERS = 0o077;
const OTHERS = 0o007;
const SET_GROUP_ID = 0o2000;

/**
 * Rejects a data directory, or a `master.key` in it, that other users can read, write or search. A directory with the
 * set-group-ID bit, such as a Kubernetes volume with an `fsGroup`, may be accessible to its group. On Windows, nothing
 * is checked, because files have no such modes. A directory that is missing is created later with mode 0700.
 *
 * @throws YagateError `NOT_CONFIGURED` with the command that removes the permissions.
 */
export function requirePrivateData({ dataDir, databaseUrl }: Pick<CompleteConfig, "dataDir" | "databaseUrl">): void {
  const stats = statSync(dataDir, { throwIfNoEntry: false });
  // A path that is not a directory is reported when it is opened.
  if (process.platform === "win32" || !stats?.isDirectory()) return;
  const directory = stats.mode;
  const refused = (directory & SET_GROUP_ID) === 0 ? GROUP_AND_OTHERS : OTHERS;
  // With a PostgreSQL database, the events are not stored here, so only the key file matters.
  if (databaseUrl === undefined && (directory & refused) !== 0) {
    throw exposed("the data directory", dataDir, directory, refused === OTHERS ? "o-rwx" : "700", NEW_DIRECTORY);
  }
  const keyFile = join(dataDir, "master.key");
  const key = statSync(keyFile, { throwIfNoEntry: false })?.mode;
  if (key !== undefined && (key & refused) !== 0) {
    throw exposed("the master key file", keyFile, key, refused === OTHERS ? "o-rwx" : "600", UNREAD_FILE);
  }
}

const NEW_DIRECTORY =
  "if its mode can't be changed, as on some volumes, set YAGATE_DATA_DIR to a new directory inside it: it is created with mode 0700";
const UNREAD_FILE = "serve reads the master keys only from YAGATE_MASTER_KEYS, so you can also move the file elsewhere";

function exposed(what: string, path: string, mode: number, change: string, hint: string): YagateError {
  const shown = (mode & 0o777).toString(8).padStart(4, "0");
  return new YagateError(
    "NOT_CONFIGURED",
    `other users can read ${what} ${path} (mode ${shown}): chmod ${change} ${shellWord(path)}`,
    { hint },
  );
}
