import { YagateError } from "@yagate/protocol";
import type { IdempotencyStore } from "../store.ts";
import { readSharedOptions, type SharedStoreOptions } from "./store-options.ts";

/** Short enough for the names of the indexes that are made from it. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,47}$/;

/** Options of the stores that keep their entries in a table. */
export interface TableStoreOptions extends SharedStoreOptions {
  /** The table's name, at most 48 letters, digits and `_`. Default `yagate_calls`. */
  readonly table?: string | undefined;
  /** Whether the first call makes the table unless it is there. Default `true`. */
  readonly createTable?: boolean | undefined;
}

/** A store that keeps its entries in a table. */
export interface TableIdempotencyStore extends IdempotencyStore {
  /** Makes the table unless it is there, for a migration that runs before the service starts. */
  createTable(): Promise<void>;
  /**
   * Removes the entries that have expired, of all tenants of the table, in small batches. Each process does so by
   * itself while calls come; this is for tables that are no longer written to.
   *
   * @returns how many there were.
   */
  removeExpired(): Promise<number>;
}

/** The options of such a store, checked. */
export function readTableOptions(options: TableStoreOptions, ownKeys: readonly string[]) {
  const { table = "yagate_calls", createTable = true } = options;
  const shared = readSharedOptions(options, [...ownKeys, "table", "createTable"]);
  if (!NAME.test(table)) {
    throw new YagateError("INVALID_REQUEST", "table: expected at most 48 letters, digits and underscores");
  }
  return { ...shared, table, createTable };
}
