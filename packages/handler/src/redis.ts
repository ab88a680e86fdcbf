export type { IoRedisClient, NodeRedisClient, RedisClient } from "./idempotency/redis/client.ts";
export { createRedisIdempotencyStore, type RedisIdempotencyStoreOptions } from "./idempotency/redis/redis-store.ts";
