export type { TableIdempotencyStore } from "./idempotency/shared/table-options.ts";
export type { SqliteDatabase, SqliteStatement } from "./idempotency/sqlite/database.ts";
export { createSqliteIdempotencyStore, type SqliteIdempotencyStoreOptions } from "./idempotency/sqlite/sqlite-store.ts";
