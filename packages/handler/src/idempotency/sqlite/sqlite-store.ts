import { YagateError } from "@yagate/protocol";
import { SharedIdempotencyStore } from "../shared/shared-store.ts";
import { readTableOptions, type TableIdempotencyStore, type TableStoreOptions } from "../shared/table-options.ts";
import type { SqliteDatabase } from "./database.ts";
import { SqliteEntryTable } from "./sqlite-table.ts";

/** Options of {@link createSqliteIdempotencyStore}. */
export interface SqliteIdempotencyStoreOptions extends TableStoreOptions {
  /**
   * An open database of `node:sqlite`, `better-sqlite3` or `bun:sqlite`; SQLite 3.24 or newer. A connection of the
   * store's own: while a transaction is open on it, the store waits.
   */
  readonly database: SqliteDatabase;
}

/**
 * Makes a store in a SQLite file: for a service of one machine, with one process or several, that remembers its calls
 * over a restart. Never put the file on a network drive: the locks of SQLite don't hold there.
 *
 * @throws {@link YagateError} `INVALID_REQUEST` for an option that is wrong or unknown.
 */
export function createSqliteIdempotencyStore(options: SqliteIdempotencyStoreOptions): TableIdempotencyStore {
  const { tenant, timeoutMs, table, createTable } = readTableOptions(options, ["database"]);
  const { database } = options;
  if (typeof database?.prepare !== "function") {
    throw new YagateError("INVALID_REQUEST", "database: expected an open database of node:sqlite or better-sqlite3");
  }
  return new SharedIdempotencyStore(new SqliteEntryTable(database, table, tenant), { timeoutMs, createTable });
}
