import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { INDEX_VERSION, SCHEMA } from "./schema.ts";

/** An open index file. */
export interface OpenedIndex {
  readonly database: DatabaseSync;
  /** The reason why the index was rebuilt; `undefined` if it was valid. */
  readonly madeBecause: "missing" | "broken" | "outdated" | undefined;
}

const HASH_BYTES = 8_388_608;
const BUSY_TIMEOUT_MS = 2_000;
const MAX_IDLE_WAL_BYTES = 16_777_216;

/**
 * Opens an index. If the index is missing, damaged or from another version, creates an empty one, because all content
 * can be read from the folder again.
 *
 * @param kind - identifies what the index contains; an index of another kind is rebuilt.
 */
export function openIndex(path: string, kind: string): OpenedIndex {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const isNew = createPrivateFile(path);
  if (!isNew) {
    const state = tryOpen(path, kind);
    if (typeof state !== "string") return { database: state, madeBecause: undefined };
    removeIndex(path);
    createPrivateFile(path);
    return { database: make(path, kind), madeBecause: state };
  }
  return { database: make(path, kind), madeBecause: "missing" };
}

/** Records that the first complete pass has ended. */
export function markComplete(database: DatabaseSync): void {
  database.exec("INSERT INTO meta (name, value) VALUES ('complete', '1') ON CONFLICT DO NOTHING");
}

/** Returns whether the first pass has ended. An incomplete index must not count as complete after a restart. */
export function isComplete(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM meta WHERE name = 'complete'").get() !== undefined;
}

/** Deletes the files of an index, which must not be open. */
export function removeIndex(path: string): void {
  for (const ending of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${ending}`, { force: true });
}

/** Returns whether SQLite reports that the file is damaged or not a database. */
export function isBroken(error: unknown): boolean {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
  return code === 11 || code === 26;
}

function tryOpen(path: string, kind: string): DatabaseSync | "broken" | "outdated" {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    configure(database);
    if (database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"] !== "ok") throw new Error("not whole");
    const hasMeta = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() !== undefined;
    const version = hasMeta ? database.prepare("SELECT value FROM meta WHERE name = 'version'").get()?.["value"] : "";
    if (version === versionOf(kind)) return database;
    database.close();
    return "outdated";
  } catch {
    // After any other error, the index is rebuilt as well.
    database?.close();
    return "broken";
  }
}

function make(path: string, kind: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  configure(database);
  database.exec("BEGIN IMMEDIATE");
  database.exec(SCHEMA);
  // Larger segments mean that fewer of them must be merged.
  for (const table of ["unit_terms", "term_trigrams"]) {
    database.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('hashsize', ${HASH_BYTES})`);
  }
  database.prepare("INSERT INTO meta (name, value) VALUES ('version', ?)").run(versionOf(kind));
  database.exec("COMMIT");
  return database;
}

function versionOf(kind: string): string {
  return `${INDEX_VERSION} ${kind}`;
}

function configure(database: DatabaseSync): void {
  // A power failure may undo recent changes. The next pass indexes those files again.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768");
  database.exec(`PRAGMA journal_size_limit = ${MAX_IDLE_WAL_BYTES}`);
}

function createPrivateFile(path: string): boolean {
  try {
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
