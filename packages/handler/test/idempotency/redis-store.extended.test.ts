import { Cluster, Redis } from "ioredis";
import { createCluster } from "redis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { hasRedis, type RedisServer, startRedis } from "../../../../test/services/redis.ts";
import { createRedisIdempotencyStore, type RedisClient } from "../../src/redis.ts";
import { BUDGET_MS, claim, holderOf, KEEP_MS, outcome } from "./conformance/claims.ts";
import { describeIdempotencyStore } from "./conformance/describe-idempotency-store.ts";
import { worldOf } from "./support/entries.ts";
import { openStore } from "./support/open-store.ts";
import { createRedisEntries } from "./support/redis-entries.ts";
import { expectRefusedCall } from "./support/refused-call.ts";

describe.skipIf(!hasRedis())("in Redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  describe.each(["redis", "ioredis"] as const)("through %s", (kind) => {
    describeIdempotencyStore("the store", {
      begin: async () => worldOf(await createRedisEntries(server, kind)),
      isShared: true,
    });

    /** A store in an empty server, and a connection beside it. */
    async function open(options: { readonly timeoutMs?: number } = {}, { url } = server) {
      const client = new Redis(url);
      client.on("error", () => {});
      await client.flushall();
      const { store, close } = await openStore({ kind, location: url }, options);
      onTestFinished(async () => {
        client.disconnect();
        await close();
      });
      return { store, client };
    }

    it("sends a script in full to a server that has forgotten it", async () => {
      const { store, client } = await open();
      const holder = await holderOf(store);
      await client.script("FLUSH");
      await store.complete("tc_1", holder, outcome("{x}"));
      expect(await claim(store)).toEqual({ state: "finished", outcome: outcome("{x}") });
    });

    it("gives every key a time after which the server removes it", async () => {
      const { store, client } = await open();
      const holder = await holderOf(store);
      expect(await client.pttl("yagate:call:tc_1")).toBeGreaterThan(KEEP_MS);
      expect(await client.pttl("yagate:call:tc_1")).toBeLessThanOrEqual(BUDGET_MS + KEEP_MS);
      await store.complete("tc_1", holder, outcome());
      expect(await client.pttl("yagate:call:tc_1")).toBeLessThanOrEqual(KEEP_MS);
    });

    it("gives back a claim that got through when nobody waited for it any more", async () => {
      const { store, client } = await open({ timeoutMs: 200 });
      await holderOf(store, "tc_0");
      await client.call("CLIENT", "PAUSE", "60000", "WRITE");
      await expect(claim(store)).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await client.call("CLIENT", "UNPAUSE");
      await vi.waitFor(async () => expect(await client.hget("yagate:call:tc_1", "state")).toBe("released"), 5_000);
      expect((await claim(store)).state).toBe("claimed");
    });

    it("outlives connections that are cut", async () => {
      const { store, client } = await open();
      const holder = await holderOf(store);
      await client.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      await store.complete("tc_1", holder, outcome("{x}"));
      expect(await claim(store)).toEqual({ state: "finished", outcome: outcome("{x}") });
    });

    it("refuses at once a key that holds something else", async () => {
      const { store, client } = await open();
      await client.set("yagate:call:tc_1", "mine");
      await expect(claim(store)).rejects.toThrow("WRONGTYPE");
    });

    it("makes a handler whose server is gone refuse calls and run nothing", async () => {
      const lost = await startRedis();
      onTestFinished(() => lost.stop());
      const { store } = await open({}, lost);
      await holderOf(store, "tc_0");
      await lost.stop();
      await expectRefusedCall(store);
    });
  });

  describe("in a cluster", () => {
    let cluster: RedisServer;
    beforeAll(async () => {
      cluster = await startRedis({ isCluster: true });
    });
    afterAll(() => cluster.stop());

    it.each<[string, (url: URL) => Promise<{ client: RedisClient; close: () => unknown }>]>([
      [
        "redis",
        async ({ href, password }) => {
          const client = createCluster({ rootNodes: [{ url: href }], defaults: { password } });
          await client.connect();
          return { client, close: () => client.destroy() };
        },
      ],
      [
        "ioredis",
        async ({ hostname, port, password }) => {
          const client = new Cluster([{ host: hostname, port: Number(port) }], { redisOptions: { password } });
          return { client, close: () => client.disconnect() };
        },
      ],
    ])("works through the cluster client of %s", async (name, connect) => {
      const { client, close } = await connect(new URL(cluster.url));
      onTestFinished(async () => void (await close()));
      const store = createRedisIdempotencyStore({ client, keyPrefix: `${name}:` });
      for (const key of ["tc_1", "tc_2", "tc_3"]) {
        const holder = await holderOf(store, key);
        expect((await claim(store, key)).state).toBe("in_flight");
        const wait = store.wait(key, new AbortController().signal);
        await store.complete(key, holder, outcome(key));
        expect(await wait).toEqual(outcome(key));
        expect(await claim(store, key)).toEqual({ state: "finished", outcome: outcome(key) });
      }
    });
  });

  it("takes a prefix for its keys, beside the one that the client adds itself", async () => {
    const client = new Redis(server.url, { keyPrefix: "shop:" });
    const plain = new Redis(server.url);
    onTestFinished(() => {
      client.disconnect();
      plain.disconnect();
    });
    await plain.flushall();
    const store = createRedisIdempotencyStore({ client, keyPrefix: "calls:", tenant: "a:b" });
    await holderOf(store);
    expect(await plain.keys("*")).toEqual(["shop:calls:a%3Ab:tc_1"]);
    expect((await claim(store)).state).toBe("in_flight");
  });
});
