import { YagateError } from "@yagate/protocol/calls";
import { SharedIdempotencyStore } from "../shared/shared-store.ts";
import { readTableOptions, type TableIdempotencyStore, type TableStoreOptions } from "../shared/table-options.ts";
import type { SqliteDatabase } from "./database.ts";
import { SqliteEntryTable } from "./sqlite-table.ts";

/** Options for {@link createSqliteIdempotencyStore}. */
export interface SqliteIdempotencyStoreOptions extends TableStoreOptions {
  /**
   * An open database from `node:sqlite`, `better-sqlite3` or `bun:sqlite`, with SQLite 3.24 or newer. Use a separate
   * connection, because the store waits while a transaction is open on it.
   */
  readonly database: SqliteDatabase;
}

/**
 * Creates a store in a SQLite file. Use it for a service that runs as one or several processes on one machine and must
 * remember its calls across restarts. Never put the file on a network drive, where SQLite's locks do not work.
 *
 * @throws {@link YagateError} `INVALID_REQUEST` for an invalid or unknown option.
 */
export function createSqliteIdempotencyStore(options: SqliteIdempotencyStoreOptions): TableIdempotencyStore {
  const { tenant, timeoutMs, table, createTable } = readTableOptions(options, ["database"]);
  const { database } = options;
  if (typeof database?.prepare !== "function") {
    throw new YagateError(
      "INVALID_REQUEST",
      "database: expected an open database from node:sqlite, better-sqlite3 or bun:sqlite",
    );
  }
  return new SharedIdempotencyStore(new SqliteEntryTable(database, table, tenant), { timeoutMs, createTable });
}
