import { defined } from "@yagate/lib/objects/defined";
import type { Store } from "./port.ts";
import type { PostgresStoreOptions } from "./postgres.ts";
import type { SqliteStoreOptions } from "./sqlite.ts";

/** Options for {@link openStore} that apply to both kinds of store. */
export type StoreOptions = Pick<
  SqliteStoreOptions,
  "dataDir" | "exchangeRetentionMs" | "onListenerError" | "onCommit"
> &
  Pick<PostgresStoreOptions, "connections" | "migrations" | "onError"> & { readonly databaseUrl: string | undefined };

/**
 * Opens the PostgreSQL store if a database URL is given, otherwise SQLite in the data directory. Only the code of that
 * store is loaded.
 *
 * @throws YagateError `UNAVAILABLE`.
 */
export async function openStore({
  dataDir,
  databaseUrl,
  exchangeRetentionMs,
  onListenerError,
  onCommit,
  ...options
}: StoreOptions): Promise<Store> {
  const common = {
    ...defined({ exchangeRetentionMs, onListenerError, onCommit }),
  };
  if (databaseUrl === undefined) {
    const { openSqliteStore } = await import("./sqlite.ts");
    return openSqliteStore({ dataDir, ...common });
  }
  const { openPostgresStore } = await import("./postgres.ts");
  return openPostgresStore({ databaseUrl, ...options, ...common });
}
