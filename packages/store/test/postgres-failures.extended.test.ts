import { setTimeout as pass } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../test/services/postgres.ts";
import { appendTo } from "../src/events/event-store.ts";
import type { Store } from "../src/port.ts";
import { openPostgresStore } from "../src/postgres.ts";
import { type DatabaseProxy, startDatabaseProxy } from "./support/database-proxy.ts";
import { execute, terminateConnections } from "./support/execute.ts";
import { agentOf, appendOf, entryOf, executionOf, LEASE_MS, NOW } from "./support/fixtures.ts";
import { limitFileSize } from "./support/limit-file-size.ts";

const UNAVAILABLE = { code: "UNAVAILABLE" };

/** How long a test waits for what comes by itself: long enough for a busy machine. */
const PATIENTLY = { timeout: 8_000 } as const;

describe.skipIf(!hasPostgres())("a PostgreSQL that fails", () => {
  let server: PostgresServer;
  let databaseUrl: string;
  let proxy: DatabaseProxy;
  let store: Store;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    databaseUrl = await server.createDatabase();
    proxy = await startDatabaseProxy(databaseUrl);
    store = await openPostgresStore({ databaseUrl: proxy.url, now: () => NOW });
  });
  afterEach(async () => {
    proxy.pass();
    await store.close();
    await proxy.close();
  });

  const start = async (target = store) => (await target.eventStore.create(executionOf("ws_a"))).execution.id;
  const seqsOf = async (id: string) => (await store.eventStore.entries(id, 0)).map(({ event }) => event.seq);

  /** What comes of work whose answers are all lost until the database has it. */
  async function withLostAnswers<Result>(
    work: () => Promise<Result>,
    isThere: () => Promise<boolean>,
  ): Promise<Result> {
    proxy.loseAnswers();
    const working = work();
    working.catch(() => {});
    await expect.poll(isThere, { timeout: 5_000 }).toBe(true);
    proxy.pass();
    return working;
  }

  const count = async (table: string) => {
    const [row] = await execute<{ count: string }>(databaseUrl, `SELECT count(*) AS count FROM ${table}`);
    return Number(row?.count);
  };

  it("is asked again when the answer to an append is lost, and nothing is written twice", async () => {
    const id = await start();
    // The statement is prepared on its connection: the next one is the append alone.
    await appendTo(store.eventStore, appendOf(id, 0, { epoch: 1 }));
    const outcome = await withLostAnswers(
      () => appendTo(store.eventStore, appendOf(id, 1, { epoch: 1, count: 2 })),
      async () => (await count("appends")) === 2,
    );
    expect(outcome).toBe("appended");
    expect(await seqsOf(id)).toEqual([1, 2, 3]);
  });

  it("does not take another's append for its own", async () => {
    const id = await start();
    await appendTo(store.eventStore, appendOf(id, 0, { epoch: 1 }));
    const other = await openPostgresStore({ databaseUrl, now: () => NOW });
    proxy.refuse();
    // Until it is seen that a connection is gone, a statement may be on its way to it. Sockets that the proxy destroys
    // close within a few turns of the event loop.
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    const refused = appendTo(store.eventStore, appendOf(id, 1));
    await expect(refused).rejects.toMatchObject(UNAVAILABLE);
    expect(await appendTo(other.eventStore, appendOf(id, 1))).toBe("appended");
    proxy.pass();
    expect(await appendTo(store.eventStore, appendOf(id, 1))).toBe("behind");
    await other.close();
  });

  it.each([
    ["with an idempotency key", { scope: "s", key: "k", bodyHash: "aa", expiresAt: NOW + 1_000 }],
    ["without one", undefined],
  ])("makes an execution once when the answer is lost, %s", async (_name, idempotency) => {
    await start();
    const wanted = executionOf("ws_a", idempotency === undefined ? {} : { idempotency });
    const created = await withLostAnswers(
      () => store.eventStore.create(wanted),
      async () => (await count("executions")) === 2,
    );
    expect(created).toMatchObject({ isNew: true, execution: { id: wanted.id } });
    expect(await count("executions")).toBe(2);
  });

  it("finds out whether a unit of work was committed when its connection breaks during the COMMIT", async () => {
    await execute(databaseUrl, SLOW_COMMIT);
    const agent = agentOf();
    const creating = store.agents.create("ws_a", agent);
    await expect.poll(() => isCommitting(databaseUrl), PATIENTLY).toBe(true);
    proxy.cutClients();
    expect(await creating).toBeUndefined();
    expect(await store.agents.find("ws_a", agent.id)).toMatchObject({ agent });
  });

  it("does a unit of work again when its connection breaks before the COMMIT", async () => {
    const agent = agentOf();
    const blocker = await lockTable(databaseUrl, "agent_versions");
    const creating = store.agents.create("ws_a", agent);
    await expect.poll(() => isWaiting(databaseUrl), PATIENTLY).toBe(true);
    proxy.cut();
    await blocker.end();
    expect(await creating).toBeUndefined();
    expect(await store.agents.find("ws_a", agent.id)).toMatchObject({ agent });
  });

  it("waits for a statement that outlives its connection", async () => {
    const id = await start();
    await appendTo(store.eventStore, appendOf(id, 0, { epoch: 1 }));
    const blocker = await lockTable(databaseUrl, "appends");
    const appending = appendTo(store.eventStore, appendOf(id, 1, { epoch: 1 }));
    await expect.poll(() => isWaiting(databaseUrl), PATIENTLY).toBe(true);
    proxy.cutClients();
    await pass(200);
    await blocker.end();
    expect(await appending).toBe("appended");
    expect(await seqsOf(id)).toEqual([1, 2]);
    expect(await appendTo(store.eventStore, appendOf(id, 2, { epoch: 1 }))).toBe("appended");
  });

  describe("hands over what a claim took whose answer was lost", () => {
    const claim = (change: Partial<Parameters<Store["eventStore"]["claim"]>[0]> = {}) =>
      store.eventStore.claim({
        owner: "owner-2",
        now: NOW + LEASE_MS + 1,
        leaseUntil: NOW + 3 * LEASE_MS,
        limit: 10,
        except: new Set(),
        ...change,
      });

    async function loseClaim(): Promise<void> {
      // The statement is prepared on its connection: the next one is the claim alone.
      await claim({ now: NOW, leaseUntil: NOW, limit: 1 });
      proxy.loseAnswers();
      await expect(claim()).rejects.toMatchObject(UNAVAILABLE);
      proxy.pass();
      expect(await execute(databaseUrl, "SELECT 1 FROM executions WHERE epoch = 1")).toEqual([]);
    }

    it("at the next claim, once", async () => {
      const id = await start();
      await loseClaim();
      expect(await claim()).toMatchObject([{ id, epoch: 3 }]);
      expect(await claim()).toEqual([]);
    });

    it("at several claims that each take only some", async () => {
      const ids = new Set([await start(), await start(), await start()]);
      await loseClaim();
      const taken = new Set<string>();
      for (const length of [1, 1, 1, 0]) {
        const rows = await claim({ limit: 1, except: taken });
        expect(rows).toHaveLength(length);
        for (const { id } of rows) taken.add(id);
      }
      expect(taken).toEqual(ids);
    });

    it("later, when the next claim leaves out its workspace", async () => {
      const id = await start();
      await loseClaim();
      expect(await claim({ exceptWorkspaces: ["ws_a"] })).toEqual([]);
      expect(await claim()).toMatchObject([{ id, epoch: 3 }]);
    });
  });

  it("leaves no connection in a transaction that the server refused", async () => {
    const take = () => store.rateLimits.takeCall({ limits: [{ key: "a", limit: 1, windowMs: 60_000 }], now: NOW });
    await execute(databaseUrl, "ALTER TABLE rate_limits RENAME TO renamed");
    await expect(take()).rejects.toMatchObject({ code: "INTERNAL" });
    await execute(databaseUrl, "ALTER TABLE renamed RENAME TO rate_limits");
    expect(await take()).toEqual({ allowed: true });
  });

  it("is UNAVAILABLE for everything while it can't be reached, and serves again afterwards", async () => {
    const id = await start();
    proxy.refuse();
    const asked = [
      appendTo(store.eventStore, appendOf(id, 0)),
      store.eventStore.create(executionOf("ws_a")),
      store.eventStore.entries(id, 0),
      store.eventStore.renew({ owner: "owner-1", leaseUntil: NOW }),
      store.agents.create("ws_a", agentOf()),
      store.agents.list("ws_a", { limit: 1 }),
      store.ping(),
    ];
    for (const outcome of await Promise.allSettled(asked)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: UNAVAILABLE });
    }
    proxy.pass();
    expect(await count("executions")).toBe(1);
    expect(await appendTo(store.eventStore, appendOf(id, 0))).toBe("appended");
    expect(await store.ping()).toBeUndefined();
  });

  it("loses and repeats nothing while its connections are ended again and again", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => start()));
    let isOver = false;
    const appendAll = async (id: string) => {
      let seq = 0;
      let retries = 0;
      while (!isOver || seq < 10) {
        try {
          const outcome = await appendTo(store.eventStore, appendOf(id, seq, { epoch: 1 }));
          expect(outcome).toBe("appended");
          seq += 1;
        } catch (error) {
          expect(error).toMatchObject(UNAVAILABLE);
          retries += 1;
          await pass(5);
        }
      }
      return { id, seq, retries };
    };
    const appending = ids.map(appendAll);
    for (let round = 0; round < 15; round += 1) {
      await pass(40);
      if (round % 5 === 2) await crash(databaseUrl);
      else if (round % 2 === 0) await terminateConnections(databaseUrl);
      else proxy.cut();
    }
    isOver = true;
    for (const { id, seq } of await Promise.all(appending)) {
      expect(await seqsOf(id)).toEqual(Array.from({ length: seq }, (_, index) => index + 1));
    }
  });

  it("is not asked after any longer once nothing is worth waiting for", async () => {
    const id = await start();
    proxy.loseAnswers();
    const append = appendTo(store.eventStore, appendOf(id, 0));
    append.catch(() => {});
    await expect.poll(() => count("appends"), PATIENTLY).toBe(1);
    proxy.refuse();
    const startedAt = performance.now();
    store.stopAsking?.();
    await expect(append).rejects.toMatchObject(UNAVAILABLE);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    proxy.pass();
    // Others are served as before.
    expect(await start()).toBeDefined();
  });

  it("keeps no process from its end when it says nothing any more", async () => {
    await start();
    proxy.fallSilent();
    const startedAt = performance.now();
    await store.close();
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it("refuses a text with U+0000 outside of JSON, which it can't hold", async () => {
    await expect(store.workspaces.findByName("a\0b")).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });

  it.runIf(process.platform === "linux")("is UNAVAILABLE while its disk takes no more, and goes on after", async () => {
    const id = await start();
    await limitFileSize(databaseUrl, String(20 * 1_048_576));
    // A text of its own each time: the same one is stored once.
    const messageAt = (seq: number) => ({
      role: "assistant",
      text: Array.from({ length: 60_000 }, (_, index) => (index + seq).toString(36)).join(),
    });
    const append = (expectedSeq: number) =>
      appendTo(store.eventStore, {
        ...appendOf(id, expectedSeq, { epoch: 1 }),
        entries: [
          { ...entryOf(id, expectedSeq + 1, { type: "model.responded" }), assistantMessage: messageAt(expectedSeq) },
        ],
      });
    let seq = 0;
    let refusal: unknown;
    while (refusal === undefined && seq < 500) {
      try {
        expect(await append(seq)).toBe("appended");
        seq += 1;
      } catch (error) {
        refusal = error;
      }
    }
    expect(refusal).toMatchObject(UNAVAILABLE);
    expect(seq).toBeGreaterThan(2);
    expect(await store.eventStore.find(id, "ws_a")).toMatchObject({ lastSeq: seq });
    await limitFileSize(databaseUrl, "unlimited");
    expect(await append(seq)).toBe("appended");
    expect(await seqsOf(id)).toHaveLength(seq + 1);
  });
});

/** Holds up whatever writes to a table, until the connection is ended. */
async function lockTable(databaseUrl: string, table: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
  return client;
}

/** Every commit that makes a version of an agent takes a while. */
const SLOW_COMMIT = `
  CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NULL; END';
  CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON agent_versions DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION dawdle()`;

async function isCommitting(databaseUrl: string): Promise<boolean> {
  const rows = await execute(databaseUrl, "SELECT 1 FROM pg_stat_activity WHERE query = 'COMMIT' AND state = 'active'");
  return rows.length > 0;
}

async function isWaiting(databaseUrl: string): Promise<boolean> {
  const rows = await execute(databaseUrl, "SELECT 1 FROM pg_locks WHERE NOT granted");
  return rows.length > 0;
}

/** A process that restarts after a crash. */
const CHECKPOINTER = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'";

/** The server loses all its processes but the first, and recovers from its log. */
async function crash(databaseUrl: string): Promise<void> {
  const [before] = await execute<{ pid: number; checkpointer: number }>(
    databaseUrl,
    `SELECT pid, (${CHECKPOINTER}) AS checkpointer FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() LIMIT 1`,
  );
  if (before === undefined) return;
  process.kill(before.pid, "SIGKILL");
  const isRecovered = async () => {
    const [now] = await execute<{ pid: number | null }>(databaseUrl, `SELECT (${CHECKPOINTER}) AS pid`).catch(() => []);
    return now !== undefined && now.pid !== null && now.pid !== before.checkpointer;
  };
  await expect.poll(isRecovered, { timeout: 10_000 }).toBe(true);
}
