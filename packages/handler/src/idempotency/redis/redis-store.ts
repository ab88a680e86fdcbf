import { YagateError } from "@yagate/protocol/calls";
import { SharedIdempotencyStore } from "../shared/shared-store.ts";
import { readSharedOptions, type SharedStoreOptions } from "../shared/store-options.ts";
import type { IdempotencyStore } from "../store.ts";
import type { RedisClient } from "./client.ts";
import { RedisEntryTable } from "./redis-table.ts";

const DEFAULT_KEY_PREFIX = "yagate:call:";

/** Options for {@link createRedisIdempotencyStore}. */
export interface RedisIdempotencyStoreOptions extends SharedStoreOptions {
  /** A connected client from `redis` (node-redis) or `ioredis`, or a cluster client from one of these packages. */
  readonly client: RedisClient;
  /** Prefix of all keys. Default `yagate:call:`. */
  readonly keyPrefix?: string | undefined;
}

/**
 * Creates a store in Redis 5 or newer, for any number of processes and machines. Each call is one key, which the server
 * removes when it expires. Each operation is one script, and durations are measured by the server's clock.
 *
 * Configure Redis not to evict keys (`maxmemory-policy noeviction`). If Redis fails, it loses data that it has not yet
 * written to disk or sent to a replica, and the calls in that data can run twice.
 *
 * @throws {@link YagateError} `INVALID_REQUEST` for an invalid or unknown option.
 */
export function createRedisIdempotencyStore(options: RedisIdempotencyStoreOptions): IdempotencyStore {
  const { tenant, timeoutMs } = readSharedOptions(options, ["client", "keyPrefix"]);
  const { client, keyPrefix = DEFAULT_KEY_PREFIX } = options;
  if (typeof client?.eval !== "function") {
    throw new YagateError("INVALID_REQUEST", "client: expected a client from redis or ioredis");
  }
  // Encoded so that the name of one tenant cannot look like the start of another tenant's keys.
  const prefix = tenant === "" ? keyPrefix : `${keyPrefix}${encodeURIComponent(tenant)}:`;
  return new SharedIdempotencyStore(new RedisEntryTable(client, prefix), { timeoutMs, createTable: false });
}
