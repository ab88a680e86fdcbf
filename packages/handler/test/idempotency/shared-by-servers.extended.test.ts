import { afterAll, beforeAll, describe } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/services/postgres.ts";
import { hasRedis, type RedisServer, startRedis } from "../../../../test/services/redis.ts";
import { describeTwoServers } from "./support/describe-two-servers.ts";
import { createPostgresEntries } from "./support/postgres-entries.ts";
import { createRedisEntries } from "./support/redis-entries.ts";

describe.skipIf(!hasPostgres())("with PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());
  describeTwoServers("two servers with pg", () => createPostgresEntries(server));
});

describe.skipIf(!hasRedis())("with Redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());
  describeTwoServers("two servers with redis", () => createRedisEntries(server, "redis"));
  describeTwoServers("two servers with ioredis", () => createRedisEntries(server, "ioredis"));
});
