import { defined } from "@yagate/lib/objects/defined";
import type { Store } from "./port.ts";
import { openPostgresStore, type PostgresStoreOptions } from "./postgres.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./sqlite.ts";

/** Options for {@link openStore} that apply to both kinds of store. */
export type StoreOptions = Pick<
  SqliteStoreOptions,
  "dataDir" | "exchangeRetentionMs" | "onListenerError" | "onCommit"
> &
  Pick<PostgresStoreOptions, "connections" | "migrations" | "onError"> & { readonly databaseUrl: string | undefined };

/**
 * Opens the PostgreSQL store if a database URL is given, otherwise SQLite in the data directory. @throws YagateError
 * `UNAVAILABLE`.
 */
export function openStore({
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
  if (databaseUrl === undefined) return openSqliteStore({ dataDir, ...common });
  return openPostgresStore({ databaseUrl, ...options, ...common });
}
