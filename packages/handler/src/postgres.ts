export type { PostgresPool } from "./idempotency/postgres/pool.ts";
export {
  createPostgresIdempotencyStore,
  type PostgresIdempotencyStoreOptions,
} from "./idempotency/postgres/postgres-store.ts";
export type { TableIdempotencyStore } from "./idempotency/shared/table-options.ts";
