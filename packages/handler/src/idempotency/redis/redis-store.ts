import { YagateError } from "@yagate/protocol";
import { SharedIdempotencyStore } from "../shared/shared-store.ts";
import { readSharedOptions, type SharedStoreOptions } from "../shared/store-options.ts";
import type { IdempotencyStore } from "../store.ts";
import type { RedisClient } from "./client.ts";
import { RedisEntryTable } from "./redis-table.ts";

const DEFAULT_KEY_PREFIX = "yagate:call:";

/** Options of {@link createRedisIdempotencyStore}. */
export interface RedisIdempotencyStoreOptions extends SharedStoreOptions {
  /** A connected client of `redis` (node-redis) or `ioredis`; their clusters are fine too. */
  readonly client: RedisClient;
  /** What the names of all keys begin with. Default `yagate:call:`. */
  readonly keyPrefix?: string | undefined;
}

/**
 * Makes a store in Redis 5 or newer, which any number of processes and machines share. Each call is one key, which the
 * server removes when its time is over; all that is done to it is one script, timed by the server's clock.
 *
 * Redis must not drop keys for want of memory (`maxmemory-policy noeviction`), and what it has not written to disk or
 * to a replica yet is forgotten when it fails: such a call can run twice.
 *
 * @throws {@link YagateError} `INVALID_REQUEST` for an option that is wrong or unknown.
 */
export function createRedisIdempotencyStore(options: RedisIdempotencyStoreOptions): IdempotencyStore {
  const { tenant, timeoutMs } = readSharedOptions(options, ["client", "keyPrefix"]);
  const { client, keyPrefix = DEFAULT_KEY_PREFIX } = options;
  if (typeof client?.eval !== "function") {
    throw new YagateError("INVALID_REQUEST", "client: expected a client of redis or ioredis");
  }
  // Written so that no tenant's name can look like the beginning of another's keys.
  const prefix = tenant === "" ? keyPrefix : `${keyPrefix}${encodeURIComponent(tenant)}:`;
  return new SharedIdempotencyStore(new RedisEntryTable(client, prefix), { timeoutMs, createTable: false });
}
