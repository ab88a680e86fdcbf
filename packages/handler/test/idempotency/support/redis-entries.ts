import { Redis } from "ioredis";
import type { RedisServer } from "../../../../../test/services/redis.ts";
import type { Entries } from "./entries.ts";
import type { StorePlace } from "./open-store.ts";

/** Entries in a server that is emptied first. */
export async function createRedisEntries(
  server: RedisServer,
  kind: Extract<StorePlace["kind"], "redis" | "ioredis">,
): Promise<Entries> {
  const client = new Redis(server.url);
  await client.flushall();
  const keys = () => client.keys("yagate:call:*");
  return {
    place: { kind, location: server.url },
    async age(durationMs) {
      for (const key of await keys()) {
        await client.hincrby(key, "lapsesAt", -durationMs);
        // A time that is over removes the key at once.
        await client.pexpire(key, (await client.pttl(key)) - durationMs);
      }
    },
    count: async () => (await keys()).length,
    async remove() {
      client.disconnect();
    },
  };
}
