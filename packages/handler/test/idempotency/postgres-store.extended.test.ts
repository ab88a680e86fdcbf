import { Client, Pool, type PoolConfig } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/services/postgres.ts";
import { createPostgresIdempotencyStore, type PostgresIdempotencyStoreOptions } from "../../src/postgres.ts";
import { claim, holderOf, outcome } from "./conformance/claims.ts";
import { describeIdempotencyStore } from "./conformance/describe-idempotency-store.ts";
import { worldOf } from "./support/entries.ts";
import { createPostgresEntries } from "./support/postgres-entries.ts";
import { expectRefusedCall } from "./support/refused-call.ts";

describe.skipIf(!hasPostgres())("in PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  describeIdempotencyStore("through pg", {
    begin: async () => worldOf(await createPostgresEntries(server)),
    isShared: true,
  });

  function openPool(connectionString: string, config: PoolConfig = {}): Pool {
    const pool = new Pool({ connectionString, max: 5, ...config });
    pool.on("error", () => {});
    onTestFinished(() => pool.end());
    return pool;
  }

  /** A store in a database of its own, and a connection beside it. */
  async function openStore(options: Partial<PostgresIdempotencyStoreOptions> = {}, config: PoolConfig = {}) {
    const entries = await createPostgresEntries(server);
    const { location } = entries.place;
    const client = new Client({ connectionString: location });
    await client.connect();
    onTestFinished(async () => {
      await client.end();
      await entries.remove();
    });
    const store = createPostgresIdempotencyStore({ pool: openPool(location, config), ...options });
    return { store, client, entries, location };
  }

  it("its table is made once by many processes that start at the same time", async () => {
    const { location, entries } = await openStore();
    const stores = Array.from({ length: 8 }, () =>
      createPostgresIdempotencyStore({ pool: openPool(location, { max: 1 }) }),
    );
    const claims = await Promise.all(stores.map((store) => claim(store)));
    expect(claims.filter(({ state }) => state === "claimed")).toHaveLength(1);
    expect(await entries.count()).toBe(1);
  });

  it("may lie in another schema under another name", async () => {
    const { store, client } = await openStore({ schema: "Tools", table: "My_calls" });
    await client.query('CREATE SCHEMA "Tools"');
    await holderOf(store);
    expect((await client.query('SELECT key FROM "Tools"."My_calls"')).rows).toEqual([{ key: "tc_1" }]);
  });

  it("can be used by a role that may not make tables", async () => {
    const { store, client, location } = await openStore();
    await store.createTable();
    await client.query("CREATE ROLE worker LOGIN PASSWORD 'secret'");
    await client.query("GRANT SELECT, INSERT, UPDATE, DELETE ON yagate_calls TO worker");
    const url = new URL(location);
    url.username = "worker";
    url.password = "secret";
    const limited = createPostgresIdempotencyStore({ pool: openPool(url.href) });
    await limited.complete("tc_1", await holderOf(limited), outcome());
    expect((await claim(limited)).state).toBe("finished");
  });

  it("does not make its table where it was told not to, until it is asked", async () => {
    const { store } = await openStore({ createTable: false });
    await expect(claim(store)).rejects.toMatchObject({ code: "42P01" });
    await store.createTable();
    await store.createTable();
    expect((await claim(store)).state).toBe("claimed");
  });

  it.each(["repeatable read", "serializable"])("works where transactions are %s", async (level) => {
    const { store } = await openStore({}, { options: `-c default_transaction_isolation=${level.replace(" ", "\\ ")}` });
    const claims = await Promise.all(Array.from({ length: 30 }, () => claim(store)));
    expect(claims.filter(({ state }) => state === "claimed")).toHaveLength(1);
    expect(claims.filter(({ state }) => state === "in_flight")).toHaveLength(29);
  });

  it("outlives connections that are cut", async () => {
    const { store, client } = await openStore();
    const holder = await holderOf(store);
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()",
    );
    await store.complete("tc_1", holder, outcome("{x}"));
    expect(await claim(store)).toEqual({ state: "finished", outcome: outcome("{x}") });
  });

  it("asks again when its connection is cut while it waits for an answer", async () => {
    const { store, client } = await openStore();
    await holderOf(store, "tc_0");
    await client.query("BEGIN; LOCK TABLE yagate_calls");
    const claimed = claim(store);
    await vi.waitFor(async () => {
      const { rowCount } = await client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      );
      expect(rowCount).toBe(1);
    }, 5_000);
    await client.query("COMMIT");
    expect((await claimed).state).toBe("claimed");
    expect((await claim(store)).state).toBe("in_flight");
  });

  it("gives back a claim that got through when nobody waited for it any more", async () => {
    const { store, client } = await openStore({ timeoutMs: 300 });
    await holderOf(store, "tc_0");
    await client.query("BEGIN; LOCK TABLE yagate_calls");
    await expect(claim(store)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await client.query("COMMIT");
    await vi.waitFor(async () => {
      const { rows } = await client.query("SELECT state FROM yagate_calls WHERE key = 'tc_1'");
      expect(rows).toEqual([{ state: "released" }]);
    }, 5_000);
    expect((await claim(store)).state).toBe("claimed");
  });

  it("a handler whose database is gone refuses calls and runs nothing", async () => {
    const lost = await startPostgres();
    onTestFinished(() => lost.stop());
    const pool = openPool(await lost.createDatabase());
    const store = createPostgresIdempotencyStore({ pool });
    await holderOf(store, "tc_0");
    await lost.stop();
    await expectRefusedCall(store);
  });

  it("removes what has expired beside new claims, and on demand", async () => {
    const { store, entries } = await openStore();
    for (const key of ["tc_1", "tc_2"]) await store.complete(key, await holderOf(store, key), outcome());
    await entries.age(1e9);
    expect(await store.removeExpired()).toBe(2);
    await store.complete("tc_3", await holderOf(store, "tc_3"), outcome());
    expect(await store.removeExpired()).toBe(0);
    expect(await entries.count()).toBe(1);
    await entries.age(1e9);
    const pool = openPool(entries.place.location);
    await holderOf(createPostgresIdempotencyStore({ pool }), "tc_4");
    await vi.waitFor(async () => expect(await entries.count()).toBe(1), 5_000);
  });

  it("tells of a table that it can't clear", async () => {
    const { store, client, location } = await openStore();
    await store.createTable();
    await client.query("CREATE ROLE writer LOGIN PASSWORD 'secret'");
    await client.query("GRANT SELECT, INSERT, UPDATE ON yagate_calls TO writer");
    const url = new URL(location);
    url.username = "writer";
    url.password = "secret";
    const limited = createPostgresIdempotencyStore({ pool: openPool(url.href) });
    await vi.waitFor(async () => {
      const key = `tc_${performance.now()}`;
      const completed = limited.complete(key, await holderOf(limited, key), outcome(key));
      await expect(completed).rejects.toThrow("can't remove expired entries");
      expect(await claim(limited, key)).toMatchObject({ state: "finished", outcome: { body: key } });
    }, 5_000);
  });
});
