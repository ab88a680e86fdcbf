import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/services/postgres.ts";
import { hasRedis, type RedisServer, startRedis } from "../../../../test/services/redis.ts";
import { call } from "../support/tools.ts";
import type { Entries } from "./support/entries.ts";
import { createPostgresEntries } from "./support/postgres-entries.ts";
import { createRedisEntries } from "./support/redis-entries.ts";
import { createSqliteEntries } from "./support/sqlite-entries.ts";
import { canRunToolServers, startToolServer } from "./support/tool-server-process.ts";

/** What two servers behind one URL must do with the calls that are spread over them. */
function describeTwoServers(name: string, createEntries: () => Promise<Entries>): void {
  describe(name, () => {
    async function startTwo() {
      const entries = await createEntries();
      onTestFinished(() => entries.remove());
      return Promise.all([startToolServer(entries.place), startToolServer(entries.place)]);
    }

    it("run fifty duplicates at once only once, and give all of them the one answer", async () => {
      const [first, second] = await startTwo();
      const duplicate = call({ toolCallId: "tc_duplicate" });
      const answers = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? first : second).call(duplicate));
      await Promise.all([first.arrived(25), second.arrived(25)]);
      for (const server of [first, second]) server.letEnd();
      const [one, ...others] = await Promise.all(answers);
      expect(one).toMatchObject({ status: 200, isSigned: true, result: { pid: expect.any(Number) } });
      for (const other of others) expect(other).toEqual(one);
      expect(first.runs() + second.runs()).toBe(1);
    });

    it("begin a deferred call only once, also when the server that did is gone", async () => {
      const [first, second] = await startTwo();
      const callback = { url: "https://gateway.example.com/v1/callbacks/tc_deferred", token: "token" };
      const deferred = call({ toolCallId: "tc_deferred", callback });
      const pending = { status: 202, toolCallId: "tc_deferred", isSigned: true, pending: true };
      expect(await first.call(deferred)).toEqual(pending);
      await first.kill();
      expect(await second.call({ ...deferred, attempt: 2 })).toEqual(pending);
      expect(first.runs() + second.runs()).toBe(1);
    });

    it("finish the call of a server that was killed in the middle of it, once its time is over", async () => {
      const [first, second] = await startTwo();
      second.letEnd();
      const lost = first.call(call({ toolCallId: "tc_lost", timeoutMs: 3_000 })).catch(() => "no answer");
      await first.ran();
      const retry = second.call(call({ toolCallId: "tc_lost", attempt: 2 }));
      await second.arrived(1);
      await first.kill();
      expect(await lost).toBe("no answer");
      expect(second.runs()).toBe(0);
      expect(await retry).toMatchObject({ status: 200, result: { pid: expect.any(Number) } });
      expect(second.runs()).toBe(1);
    });
  });
}

describe.skipIf(!canRunToolServers)("two servers with one store (needs a Node that runs TypeScript)", () => {
  describeTwoServers("in SQLite", createSqliteEntries);

  describe.skipIf(!hasPostgres())("with PostgreSQL", () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());
    describeTwoServers("through pg", () => createPostgresEntries(server));
  });

  describe.skipIf(!hasRedis())("with Redis", () => {
    let server: RedisServer;
    beforeAll(async () => {
      server = await startRedis();
    });
    afterAll(() => server.stop());
    describeTwoServers("through redis", () => createRedisEntries(server, "redis"));
    describeTwoServers("through ioredis", () => createRedisEntries(server, "ioredis"));
  });
});
