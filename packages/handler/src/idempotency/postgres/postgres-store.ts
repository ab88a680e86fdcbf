import { YagateError } from "@yagate/protocol/calls";
import { SharedIdempotencyStore } from "../shared/shared-store.ts";
import { readTableOptions, type TableIdempotencyStore, type TableStoreOptions } from "../shared/table-options.ts";
import type { PostgresPool } from "./pool.ts";
import { PostgresEntryTable } from "./postgres-table.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/** Options for {@link createPostgresIdempotencyStore}. */
export interface PostgresIdempotencyStoreOptions extends TableStoreOptions {
  /**
   * A `Pool` from `pg`. You can share the service's pool, because the store uses a connection for only one statement at
   * a time.
   */
  readonly pool: PostgresPool;
  /** The schema of the table, which must exist. Default: the connection's default schema (`search_path`). */
  readonly schema?: string | undefined;
}

/**
 * Creates a store in a PostgreSQL table, for any number of processes and machines. It also works through a connection
 * pooler in transaction mode.
 *
 * @throws {@link YagateError} `INVALID_REQUEST` for an invalid or unknown option.
 */
export function createPostgresIdempotencyStore(options: PostgresIdempotencyStoreOptions): TableIdempotencyStore {
  const { tenant, timeoutMs, table, createTable } = readTableOptions(options, ["pool", "schema"]);
  const { pool, schema } = options;
  if (typeof pool?.query !== "function") {
    throw new YagateError("INVALID_REQUEST", "pool: expected a pool from pg");
  }
  if (schema !== undefined && !NAME.test(schema)) {
    throw new YagateError("INVALID_REQUEST", "schema: expected at most 63 letters, digits and underscores");
  }
  return new SharedIdempotencyStore(new PostgresEntryTable(pool, schema, table, tenant), { timeoutMs, createTable });
}
