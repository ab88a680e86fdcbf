import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../test/services/postgres.ts";
import { appendTo } from "../src/events/event-store.ts";
import type { AppendOutcome, EventEntry, ExecutionRow, Store } from "../src/port.ts";
import { openPostgresStore } from "../src/postgres.ts";
import { execute, terminateConnections } from "./support/execute.ts";
import { appendOf, executionOf, LEASE_MS, NOW } from "./support/fixtures.ts";

const seqs = (entries: readonly EventEntry[]) => entries.map(({ event }) => event.seq);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** How long a test waits for what comes by itself: long enough for a busy machine. */
const PATIENTLY = { timeout: 8_000 } as const;

describe.skipIf(!hasPostgres())("replicas on one PostgreSQL", () => {
  let server: PostgresServer;
  let databaseUrl: string;
  let stores: readonly [Store, Store, Store];

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    databaseUrl = await server.createDatabase();
    const open = () => openPostgresStore({ databaseUrl, connections: 8, now: () => NOW });
    stores = [await open(), await open(), await open()];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
  });

  const start = async (workspaceId = "ws_a") =>
    (await stores[0].eventStore.create(executionOf(workspaceId))).execution.id;

  describe("notify each other", () => {
    it("of every append, in order, with how the execution stands after it", async () => {
      const [here, there] = stores;
      const id = await start();
      const heard: number[] = [];
      let status: string | undefined;
      there.eventStore.subscribe(id, (entries, summary) => {
        heard.push(...seqs(entries));
        status = summary.status;
      });
      for (let seq = 0; seq < 30; seq += 3) await appendTo(here.eventStore, appendOf(id, seq, { count: 3 }));
      await appendTo(here.eventStore, appendOf(id, 30, { status: "completed" }));
      await expect.poll(() => heard, PATIENTLY).toEqual(upTo(31));
      expect(status).toBe("completed");
    });

    it("of appends that both make, each once", async () => {
      const [here, there] = stores;
      const id = await start();
      const heard: [number[], number[]] = [[], []];
      here.eventStore.subscribe(id, (entries) => heard[0].push(...seqs(entries)));
      there.eventStore.subscribe(id, (entries) => heard[1].push(...seqs(entries)));
      for (let seq = 0; seq < 20; seq += 1) {
        await appendTo((seq % 2 === 0 ? here : there).eventStore, appendOf(id, seq));
        // Else the second one's entry may come to the first before its own.
        await expect.poll(() => heard.map((list) => list.length), PATIENTLY).toEqual([seq + 1, seq + 1]);
      }
      expect(heard).toEqual([upTo(20), upTo(20)]);
    });

    it("soon: what a reader waits for does not wait for the next look into the table", async () => {
      const [here, there] = stores;
      const id = await start();
      await hearOne(there, id, () => appendTo(here.eventStore, appendOf(id, 0)));
      const delays: number[] = [];
      for (let seq = 1; seq <= 5; seq += 1) {
        const startedAt = performance.now();
        await hearOne(there, id, () => appendTo(here.eventStore, appendOf(id, seq)));
        delays.push(performance.now() - startedAt);
      }
      // A look into the table comes every two seconds: five in a row can't all have met one.
      expect(Math.min(...delays)).toBeLessThan(500);
    });

    it("of events without a notification, at the next poll", async () => {
      const [here, there] = stores;
      const id = await start();
      const heard: number[] = [];
      there.eventStore.subscribe(id, (entries) => heard.push(...seqs(entries)));
      // Written by a process that sends no notification.
      await execute(databaseUrl, "INSERT INTO appends SELECT id, 1, 0, $2 FROM executions WHERE id = $1", [
        id,
        JSON.stringify(appendOf(id, 0).entries),
      ]);
      await execute(databaseUrl, "UPDATE executions SET last_seq = 1 WHERE id = $1", [id]);
      await expect.poll(() => heard, { timeout: 5_000 }).toEqual([1]);
      await terminateConnections(databaseUrl);
      await expect
        .poll(() => appendTo(here.eventStore, appendOf(id, 1)).catch(() => "not yet"), PATIENTLY)
        .toBe("appended");
      await expect.poll(() => heard, { timeout: 5_000 }).toEqual([1, 2]);
    });
  });

  it("notify each other of an execution that a command made due, and of no other append", async () => {
    const [here, there] = stores;
    const [id, awake] = [await start(), await start()];
    await here.eventStore.release({ executionId: id, epoch: 1, expectedSeq: 0, wakeAt: NOW + 60_000 });
    const heard: string[] = [];
    here.eventStore.onDue(() => heard.push("here"));
    there.eventStore.onDue(() => heard.push("there"));
    await hearOne(there, awake, () => appendTo(here.eventStore, appendOf(awake, 0)));
    expect(heard).toEqual([]);
    await appendTo(here.eventStore, appendOf(id, 0));
    await expect.poll(() => heard, PATIENTLY).toEqual(["here", "there"]);
    const claims = await Promise.all(
      stores.map(({ eventStore }, index) =>
        eventStore.claimDue({ owner: `owner ${index}`, now: NOW, leaseUntil: NOW + LEASE_MS, limit: 10 }),
      ),
    );
    expect(claims.flat()).toMatchObject([{ id, epoch: 2, lastSeq: 1 }]);
  });

  it("say so when a clock does not agree with the database's", async () => {
    const problems: unknown[] = [];
    const onError = (error: unknown) => problems.push(error);
    const agreeing = await openPostgresStore({ databaseUrl, onError });
    const early = await openPostgresStore({ databaseUrl, onError, now: () => Date.now() - 60_000 });
    await expect.poll(() => problems, PATIENTLY).toHaveLength(1);
    expect(problems).toMatchObject([{ message: expect.stringMatching(/the database differ by -[56]\d{4} ms/) }]);
    await Promise.all([agreeing.close(), early.close()]);
  });

  describe("share executions", () => {
    it("so that of appends at the same place one is taken and the others are behind", async () => {
      const id = await start();
      for (let round = 0; round < 20; round += 1) {
        const outcomes = await Promise.all(stores.map(({ eventStore }) => appendTo(eventStore, appendOf(id, round))));
        expect([...outcomes].sort()).toEqual(["appended", "behind", "behind"]);
      }
      expect(seqs(await stores[1].eventStore.entries(id, 0))).toEqual(upTo(20));
    });

    it("so that the former owner can write nothing more", async () => {
      const [first, second] = stores;
      const id = await start();
      const claim = { now: NOW + LEASE_MS + 1, leaseUntil: NOW + 3 * LEASE_MS, limit: 1, except: new Set<string>() };
      const outcomes: AppendOutcome[] = [];
      const take = async (): Promise<ExecutionRow | undefined> => {
        // A row that is being written to at this moment is left for the next time.
        for (;;) {
          const [taken] = await second.eventStore.claim({ owner: "owner-2", ...claim });
          if (taken !== undefined) return taken;
        }
      };
      const taking = take();
      for (let seq = 0; outcomes.at(-1) !== "taken_over"; seq += 1) {
        outcomes.push(await appendTo(first.eventStore, appendOf(id, seq, { epoch: 1 })));
      }
      const row = await taking;
      expect(outcomes.at(-1)).toBe("taken_over");
      expect(row?.epoch).toBe(2);
      const lastSeq = (await second.eventStore.find(id, "ws_a"))?.lastSeq ?? -1;
      expect(lastSeq).toBe(outcomes.length - 1);
      expect(await appendTo(second.eventStore, appendOf(id, lastSeq, { epoch: 2 }))).toBe("appended");
    });

    it("so that one idempotency key makes one execution", async () => {
      for (let round = 0; round < 10; round += 1) {
        const idempotency = { scope: "s", key: `k${round}`, bodyHash: "aa", expiresAt: NOW + 1_000 };
        const made = await Promise.all(
          stores.flatMap(({ eventStore }) => [1, 2].map(() => eventStore.create(executionOf("ws_a", { idempotency })))),
        );
        expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
        expect(new Set(made.map(({ execution }) => execution.id)).size).toBe(1);
      }
    });

    it("each claimed once at a time, in turn by workspace, however they claim", async () => {
      const claims = fc.array(fc.record({ store: fc.nat(2), limit: fc.integer({ min: 1, max: 7 }) }), {
        minLength: 3,
        maxLength: 12,
      });
      await fc.assert(
        fc.asyncProperty(claims, fc.array(fc.nat(3), { minLength: 1, maxLength: 30 }), async (wanted, workspaces) => {
          await execute(databaseUrl, "UPDATE executions SET is_open = 0");
          const ids = await Promise.all(workspaces.map((workspace) => start(`ws_${workspace}`)));
          const taken = await Promise.all(
            wanted.map(({ store, limit }, index) =>
              (stores[store] ?? stores[0]).eventStore.claim({
                owner: `owner ${index}`,
                now: NOW + LEASE_MS + 1,
                leaseUntil: NOW + 3 * LEASE_MS,
                limit,
                except: new Set(),
              }),
            ),
          );
          const rows = taken.flat();
          expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
          expect(rows.every((row: ExecutionRow) => row.epoch === 2 && ids.includes(row.id))).toBe(true);
          for (const [index, { length }] of taken.entries())
            expect(length).toBeLessThanOrEqual(wanted[index]?.limit ?? 0);
          const asked = wanted.reduce((sum, { limit }) => sum + limit, 0);
          // Rows that others are taking are skipped, so none is missed while there are enough.
          if (asked >= ids.length * 4) expect(rows).toHaveLength(ids.length);
        }),
        { numRuns: 25 },
      );
    });

    it("without waiting for each other for ever, whatever rows their commits have in common", async () => {
      const ids = await Promise.all(upTo(30).map(() => start()));
      const shuffled = (offset: number) => [...ids].sort((a, b) => (a + offset < b + offset * 7 ? -1 : 1));
      let appended = 0;
      const writer = async ({ eventStore }: Store, offset: number) => {
        for (let round = 0; round < 10; round += 1) {
          const rows = await Promise.all(shuffled(offset + round).map((id) => eventStore.find(id, "ws_a")));
          const outcomes = await Promise.all(
            rows.map((row) => appendTo(eventStore, appendOf(row?.id ?? "", row?.lastSeq ?? 0))),
          );
          appended += outcomes.filter((outcome) => outcome === "appended").length;
          await eventStore.renew({ owner: "owner-1", leaseUntil: NOW + LEASE_MS });
        }
      };
      await Promise.all(stores.map(writer));
      const lasts = await Promise.all(ids.map((id) => stores[0].eventStore.find(id, "ws_a")));
      expect(lasts.reduce((sum, row) => sum + (row?.lastSeq ?? 0), 0)).toBe(appended);
      const [{ deadlocks } = { deadlocks: "none" }] = await execute<{ deadlocks: string }>(
        databaseUrl,
        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
      );
      expect(Number(deadlocks)).toBe(0);
    });

    it("and limits of calls, of which each window has as many as it may, whose clock ever is slow", async () => {
      const windowMs = 60_000;
      const limits = (["a", "b"] as const).map((key, index) => ({ key, limit: 11 + 4 * index, windowMs }));
      const slow = [0, -2_500, -59_000];
      const crowd = async (now: number) => {
        const calls = upTo(60).map((index) => {
          const store = index % 3;
          // In either order, which must not make two wait for each other.
          const wanted = index % 2 === 0 ? limits : limits.toReversed();
          return (stores[store] ?? stores[0]).rateLimits.takeCall({ limits: wanted, now: now + (slow[store] ?? 0) });
        });
        return (await Promise.all(calls)).filter(({ allowed }) => allowed).length;
      };
      // So that everybody counts from the clock that is right.
      expect(await stores[0].rateLimits.takeCall({ limits, now: NOW })).toEqual({ allowed: true });
      expect(await crowd(NOW)).toBe(10);
      expect(await crowd(NOW + windowMs - 1)).toBe(0);
      expect(await stores[0].rateLimits.takeCall({ limits, now: NOW + windowMs })).toEqual({ allowed: true });
      expect(await crowd(NOW + windowMs)).toBe(10);
    });

    it("and small tables, whose rules hold although all change them at once", async () => {
      const secretOf = (index: number) => ({
        id: `sec_${index}`,
        workspaceId: "ws_a",
        name: "default",
        sealed: "x",
        createdAt: NOW,
        expiresAt: null,
        isSeen: true,
      });
      const rotations = upTo(9).map((index) =>
        (stores[index % 3] ?? stores[0]).signingSecrets.rotate({
          next: secretOf(index),
          previousExpiresAt: NOW + 1_000,
          now: NOW,
          maxLive: 4,
        }),
      );
      const outcomes = await Promise.allSettled(rotations);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
      const live = await stores[0].signingSecrets.list("ws_a", NOW);
      expect(live.filter(({ expiresAt }) => expiresAt === null)).toHaveLength(1);
      expect(live).toHaveLength(4);
    });
  });
});

/** Resolves when the listener has heard something of what the work does. */
async function hearOne(store: Store, executionId: string, work: () => Promise<unknown>): Promise<void> {
  const heard = Promise.withResolvers<void>();
  const stop = store.eventStore.subscribe(executionId, () => heard.resolve());
  await work();
  await heard.promise;
  stop();
}
