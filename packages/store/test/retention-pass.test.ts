import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { RetentionStore } from "../src/retention/retention.ts";
import { createRetention, type RetentionOptions } from "../src/retention/retention-pass.ts";

const DAY_MS = 86_400_000;
const START = 100 * DAY_MS;

interface Rows {
  /** Rows past their age that are left. */
  expired: number;
  /** Executions that are left, 25 of them a batch. */
  ended: number;
}

/** A store of counters: what a pass asks of it, and how it rests meanwhile. */
function worldOf(rows: Rows, change: Partial<RetentionOptions> = {}) {
  const clock = { now: START };
  const pauses: number[] = [];
  const asked: Parameters<RetentionStore["deleteEnded"]>[0][] = [];
  const claims: Parameters<RetentionStore["claim"]>[0][] = [];
  const claim = vi.fn<RetentionStore["claim"]>(async (wanted) => {
    claims.push(wanted);
    return true;
  });
  const retention = createRetention({
    eventStore: {
      async deleteExpired(_now, limit) {
        const count = Math.min(rows.expired, limit);
        rows.expired -= count;
        return count;
      },
    },
    store: {
      claim,
      async deleteEnded(batch) {
        asked.push(batch);
        const deleted = Math.min(rows.ended, batch.limit);
        rows.ended -= deleted;
        return { deleted, failures: [], nextAfterId: rows.ended > 0 ? `exec_${rows.ended}` : undefined };
      },
    },
    audit: { deleteBefore: async () => 0 },
    toolSources: { deleteSuperseded: async () => 0 },
    auditRetentionDays: 90,
    owner: "replica-1",
    executionRetentionDays: 30,
    now: () => clock.now,
    onError: (error) => {
      throw error;
    },
    pause: async (ms, signal) => {
      signal.throwIfAborted();
      pauses.push(ms);
      clock.now += ms;
    },
    ...change,
  });
  return { retention, rows, clock, pauses, asked, claim, claims };
}

describe("a pass", () => {
  it("goes on until nothing is left, a small batch at a time, and rests after each", async () => {
    const { retention, rows, asked, pauses } = worldOf({ expired: 120, ended: 60 });
    expect(await retention.pass()).toBe(180);
    expect(rows).toEqual({ expired: 0, ended: 0 });
    expect(asked.map(({ afterId, limit }) => [afterId, limit])).toEqual([
      ["", 25],
      ["exec_35", 25],
      ["exec_10", 25],
    ]);
    expect(asked[0]?.endedBefore).toBeLessThan(START - 30 * DAY_MS);
    // Five batches of expired rows and one that found none, one of audit entries, one of definitions, three of executions.
    expect(pauses).toHaveLength(11);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(5);
  });

  it("reports executions that could not be deleted once, and continues after them", async () => {
    const errors: unknown[] = [];
    const pages = ["exec_2", "exec_4", undefined];
    const { retention } = worldOf(
      { expired: 0, ended: 0 },
      {
        onError: (error) => errors.push(error),
        eventStore: {
          async deleteExpired() {
            throw new Error("no exchange can be deleted");
          },
        },
        store: {
          claim: async () => true,
          deleteEnded: async ({ afterId }) => ({
            deleted: 1,
            failures: [{ executionId: `exec_${afterId.length}`, error: new Error("damaged") }],
            nextAfterId: pages.shift(),
          }),
        },
      },
    );
    expect(await retention.pass()).toBe(3);
    expect(errors).toMatchObject([
      { message: "no exchange can be deleted" },
      {
        code: "INTERNAL",
        message: "could not delete 3 expired executions; the first is exec_0",
        cause: { message: "damaged" },
      },
    ]);
  });

  it("keeps executions without limit if no retention is configured", async () => {
    const { retention, asked, rows } = worldOf({ expired: 3, ended: 5 }, { executionRetentionDays: undefined });
    expect(await retention.pass()).toBe(3);
    expect([asked, rows.ended]).toEqual([[], 5]);
  });

  it("is left to a replica that has it already", async () => {
    const { retention, rows, claim } = worldOf({ expired: 3, ended: 5 });
    claim.mockResolvedValue(false);
    expect(await retention.pass()).toBeUndefined();
    expect(rows).toEqual({ expired: 3, ended: 5 });
  });

  it("says from time to time that it goes on, and stops when another replica has taken it", async () => {
    const pause = async () => {
      world.clock.now += 10_000;
    };
    const world = worldOf({ expired: 0, ended: 1_000 }, { pause });
    world.claim.mockImplementation(async () => world.claim.mock.calls.length <= 3);
    await world.retention.pass();
    expect(world.asked.length).toBeGreaterThan(3);
    expect(world.rows.ended).toBeGreaterThan(0);
  });

  it("leaves nothing to the others until the next one is due, unless it was cut short", async () => {
    const { retention, clock, claims } = worldOf({ expired: 0, ended: 1 });
    await retention.pass();
    expect((claims.at(-1)?.until ?? 0) - clock.now).toBeGreaterThan(500_000);
    await retention.stop();
    await retention.pass();
    expect(claims.at(-1)?.until).toBe(clock.now);
  });
});

it("entries of the audit log are deleted after the configured days", async () => {
  const before: number[] = [];
  const audit: RetentionOptions["audit"] = {
    async deleteBefore(at) {
      before.push(at);
      return 0;
    },
  };
  const { retention } = worldOf({ expired: 0, ended: 0 }, { audit, auditRetentionDays: 7 });
  await retention.pass();
  expect(before).toEqual([START - 7 * DAY_MS]);
});

it("another replica may take over a minute after the last sign of the one that deletes", async () => {
  const { retention, claims, rows } = worldOf({ expired: 0, ended: 25 }, { pause: async () => {} });
  await retention.pass();
  expect(rows.ended).toBe(0);
  expect(claims[0]).toMatchObject({ now: START, until: START + 60_000 });
});

it("executions are deleted a minute after the configured days, for replicas whose clock is behind", async () => {
  const { retention, asked } = worldOf({ expired: 0, ended: 1 }, { pause: async () => {} });
  await retention.pass();
  expect(asked).toMatchObject([{ endedBefore: START - 30 * DAY_MS - 60_000 }]);
});

it.each([
  [0, 5],
  [1, 5],
  [100, 400],
  [500, 2_000],
  [3_000, 2_000],
])("a batch that took %i ms is followed by a pause of %i ms", async (tookMs, pauseMs) => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { retention, pauses } = worldOf(
    { expired: 0, ended: 0 },
    {
      store: {
        claim: async () => true,
        async deleteEnded() {
          vi.advanceTimersByTime(tookMs);
          return { deleted: 1, failures: [], nextAfterId: undefined };
        },
      },
    },
  );
  await retention.pass();
  expect(pauses.at(-1)).toBe(pauseMs);
});

it("no batch follows the one during which it is stopped", async () => {
  const batches: string[] = [];
  const { retention, rows } = worldOf(
    { expired: 100, ended: 50 },
    {
      eventStore: {
        async deleteExpired(_now, limit) {
          batches.push("expired");
          void retention.stop();
          return batches.length === 1 ? limit : 0;
        },
      },
      audit: {
        async deleteBefore() {
          batches.push("audit");
          return 0;
        },
      },
    },
  );
  expect(await retention.pass()).toBe(25);
  expect(batches).toEqual(["expired"]);
  expect(rows.ended).toBe(50);
});

it("passes follow each other by themselves, and none follows a stop", async () => {
  const passed = Promise.withResolvers<void>();
  const { retention, claim } = worldOf(
    { expired: 1, ended: 1 },
    { pause: async (_ms, signal) => signal.throwIfAborted() },
  );
  claim.mockImplementation(async () => {
    if (claim.mock.calls.length > 6) passed.resolve();
    // Lets others have a turn: nothing here waits for anything.
    await new Promise(setImmediate);
    return true;
  });
  retention.start();
  await passed.promise;
  await retention.stop();
  const count = claim.mock.calls.length;
  await new Promise(setImmediate);
  expect(claim.mock.calls.length).toBe(count);
});
