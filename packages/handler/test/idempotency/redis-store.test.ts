import { afterAll, beforeAll, describe } from "vitest";
import { hasRedis, type RedisServer, startRedis } from "../../../../test/services/redis.ts";
import { describeIdempotencyStore } from "./conformance/describe-idempotency-store.ts";
import { worldOf } from "./support/entries.ts";
import { createRedisEntries } from "./support/redis-entries.ts";

describe.skipIf(!hasRedis())("in Redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  describe.each(["redis", "ioredis"] as const)("%s", (kind) => {
    describeIdempotencyStore(`through ${kind}`, {
      begin: async () => worldOf(await createRedisEntries(server, kind)),
      isShared: true,
    });
  });
});
