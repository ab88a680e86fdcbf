import { YagateError } from "@yagate/protocol/calls";
import type { IdempotencyStore } from "../store.ts";
import { readSharedOptions, type SharedStoreOptions } from "./store-options.ts";

/** The pattern of table names. They are short enough that the names of indexes can be derived from them. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,47}$/;

/** Options for stores that keep their entries in a table. */
export interface TableStoreOptions extends SharedStoreOptions {
  /** The name of the table: at most 48 letters, digits and `_`. Default `yagate_calls`. */
  readonly table?: string | undefined;
  /** Whether the first call creates the table if it does not exist. Default `true`. */
  readonly createTable?: boolean | undefined;
}

/** A store that keeps its entries in a table. */
export interface TableIdempotencyStore extends IdempotencyStore {
  /** Creates the table if it does not exist. Call this in a migration, before the service starts. */
  createTable(): Promise<void>;
  /**
   * Removes the expired entries of all tenants in the table, in small batches. A process with a store does this
   * automatically while calls arrive; call this method for tables that receive no more calls.
   *
   * @returns the number of removed entries.
   */
  removeExpired(): Promise<number>;
}

/** Validates the options of a store that keeps its entries in a table. */
export function readTableOptions(options: TableStoreOptions, ownKeys: readonly string[]) {
  const { table = "yagate_calls", createTable = true } = options;
  const shared = readSharedOptions(options, [...ownKeys, "table", "createTable"]);
  if (!NAME.test(table)) {
    throw new YagateError("INVALID_REQUEST", "table: expected at most 48 letters, digits and underscores");
  }
  return { ...shared, table, createTable };
}
