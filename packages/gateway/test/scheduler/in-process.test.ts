import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendTo } from "@yagate/store/events/event-store";
import type { ExecutionRow, Store } from "@yagate/store/port";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { placeMigratedJournal } from "../../../../test/services/migrated-stores.ts";
import { openSqliteStore } from "../../../store/src/sqlite.ts";
import { appendOf, executionOf } from "../../../store/test/support/fixtures.ts";
import { createInProcessScheduler, type InProcessSchedulerOptions } from "../../src/scheduler/in-process.ts";
import { createLease } from "../../src/scheduler/lease.ts";
import type { ScheduledRun } from "../../src/scheduler/port.ts";

const OWNER = "this process";
const FORMER_OWNER = "a process that ended";

/** A run that ends when the test says so. */
class ManualRun implements ScheduledRun {
  readonly #end = Promise.withResolvers<void>();
  readonly done = this.#end.promise;
  readonly execution: ExecutionRow;
  readonly isRecovered: boolean;
  readonly #onWaitingChange: () => void;
  isWaiting = false;
  isQueued = false;
  isSuspended = false;
  isAborted = false;

  constructor(execution: ExecutionRow, isRecovered: boolean, onWaitingChange: () => void) {
    this.execution = execution;
    this.isRecovered = isRecovered;
    this.#onWaitingChange = onWaitingChange;
  }

  drain(): void {
    this.isSuspended = true;
  }

  abort(): void {
    this.isAborted = true;
    this.#end.resolve();
  }

  wait(isWaiting: boolean): void {
    this.isWaiting = isWaiting;
    this.#onWaitingChange();
  }

  /** Waits for a concurrency slot of its endpoint, or no longer. */
  queue(isQueued: boolean): void {
    this.isQueued = isQueued;
    this.wait(isQueued);
  }

  async end(error?: Error): Promise<void> {
    if (error === undefined) this.#end.resolve();
    else this.#end.reject(error);
    await this.done.catch(() => {});
    // What follows an end is done in the promises behind it.
    await new Promise(setImmediate);
  }
}

async function openWorld(change: Partial<InProcessSchedulerOptions> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-scheduler-"));
  await placeMigratedJournal(dataDir);
  const store = await openSqliteStore({ dataDir });
  const runs: ManualRun[] = [];
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const lease = createLease({
    owner: OWNER,
    renew: (leaseUntil) => store.eventStore.renew({ owner: OWNER, leaseUntil }),
    onError,
    now: Date.now,
    monotonicNow: () => performance.now(),
  });
  const scheduler = createInProcessScheduler({
    eventStore: store.eventStore,
    lease,
    startRun(...args) {
      const run = new ManualRun(...args);
      runs.push(run);
      return run;
    },
    maxConcurrent: 10,
    isExclusive: true,
    now: Date.now,
    onError,
    ...change,
  });
  onTestFinished(async () => {
    for (const run of runs) run.abort();
    await scheduler.stop(0);
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { store, scheduler, runs, errors, ids: () => runs.map(({ execution }) => execution.id) };
}

async function make(store: Store, owner: string, leaseUntil: number, workspaceId = "ws_a"): Promise<ExecutionRow> {
  return (await store.eventStore.create(executionOf(workspaceId, { owner, leaseUntil }))).execution;
}

const accept = (store: Store, workspaceId?: string) => make(store, OWNER, Date.now() + 10_000, workspaceId);

describe("the scheduler of one process", () => {
  it("continues what an earlier process left unfinished, whatever its lease says", async () => {
    const { store, scheduler, runs, ids } = await openWorld();
    const left = [
      await make(store, FORMER_OWNER, Date.now() + 10_000),
      await make(store, FORMER_OWNER, Date.now() - 60_000),
    ];
    const ended = await make(store, FORMER_OWNER, Date.now());
    await appendTo(store.eventStore, appendOf(ended.id, 0, { epoch: 1, status: "completed" }));
    await scheduler.start();
    expect(ids().sort()).toEqual(left.map(({ id }) => id).sort());
    expect(runs.every(({ isRecovered, execution }) => isRecovered && execution.epoch === 2)).toBe(true);
  });

  it("claims again when one claim does not cover all", async () => {
    const { store, scheduler, ids } = await openWorld({ maxConcurrent: 1_000 });
    const left = await Promise.all(Array.from({ length: 401 }, () => make(store, FORMER_OWNER, 0)));
    await scheduler.start();
    expect(new Set(ids())).toEqual(new Set(left.map(({ id }) => id)));
  });

  it("claims a backlog in parts, and runs all of it once, among new executions", async () => {
    const { store, scheduler, runs, ids, errors } = await openWorld({ maxConcurrent: 2 });
    const claim = vi.spyOn(store.eventStore, "claim");
    const left = await Promise.all(
      // The clock of the process before was a day ahead.
      Array.from({ length: 600 }, () => make(store, FORMER_OWNER, Date.now() + 86_400_000)),
    );
    await scheduler.start();
    expect(runs).toHaveLength(2);
    expect(scheduler.activeCount).toBeLessThanOrEqual(202);
    const added = [await accept(store, "ws_b"), await accept(store)];
    for (const row of added) scheduler.submit(row);
    // Made, and not handed over yet: it must not pass for one of the former process.
    const { id: unknown } = await accept(store);
    const expected = [...left, ...added].map(({ id }) => id);
    for (let ended = 0; ended < expected.length; ended += 1) {
      await expect.poll(() => runs.length, { interval: 1 }).toBeGreaterThan(ended);
      await runs[ended]?.end();
    }
    expect(ids().toSorted()).toEqual(expected.toSorted());
    expect(ids().slice(0, 5)).toContain(added[0]?.id);
    expect(ids()).not.toContain(unknown);
    expect(errors).toEqual([]);
    expect(claim.mock.calls.length).toBeLessThan(30);
  });

  it("leaves executions to a process that may hold a lease, and claims them once it has lapsed", async () => {
    let clock = Date.now();
    const { store, scheduler, ids } = await openWorld({ isExclusive: false, now: () => clock });
    const { id } = await make(store, FORMER_OWNER, clock + 60_000);
    await scheduler.start();
    expect(ids()).toEqual([]);
    clock += 60_001;
    await expect.poll(ids).toEqual([id]);
  });

  it("claims no more than it has slots for if other replicas could run the rest", async () => {
    const { store, scheduler, runs } = await openWorld({ isExclusive: false, maxConcurrent: 3 });
    await Promise.all(Array.from({ length: 5 }, () => make(store, FORMER_OWNER, 0)));
    await scheduler.start();
    expect(runs).toHaveLength(3);
    expect(scheduler.activeCount).toBe(3);
    runs[0]?.wait(true);
    await expect.poll(() => runs.length).toBe(4);
  });

  it("releases unfinished executions when it stops, so that others need not wait", async () => {
    const { store, scheduler } = await openWorld({ isExclusive: false });
    await scheduler.start();
    const row = await accept(store);
    scheduler.submit(row);
    await scheduler.stop(0);
    const now = Date.now();
    const claim = { owner: "another", now, leaseUntil: now + 10_000, limit: 1, except: new Set<string>() };
    expect(await store.eventStore.claim(claim)).toMatchObject([{ id: row.id, epoch: 2 }]);
  });

  it("runs a new execution as its first owner", async () => {
    const { store, scheduler, runs } = await openWorld();
    await scheduler.start();
    scheduler.submit(await accept(store));
    expect(runs).toMatchObject([{ isRecovered: false, execution: { epoch: 1 } }]);
    expect(scheduler.activeCount).toBe(1);
  });

  it("runs a limited number at a time, in order, not counting those that wait", async () => {
    const { store, scheduler, runs, ids } = await openWorld({ maxConcurrent: 2 });
    await scheduler.start();
    const rows = await Promise.all([accept(store), accept(store), accept(store), accept(store), accept(store)]);
    for (const row of rows) scheduler.submit(row);
    const [first, second, third, fourth, fifth] = rows.map(({ id }) => id);
    expect(ids()).toEqual([first, second]);
    await runs[0]?.end();
    expect(ids()).toEqual([first, second, third]);
    runs[1]?.wait(true);
    expect(ids()).toEqual([first, second, third, fourth]);
    runs[1]?.wait(false);
    await runs[2]?.end();
    expect(ids()).toEqual([first, second, third, fourth]);
    await runs[3]?.end(new Error("a defect"));
    expect(ids()).toEqual([first, second, third, fourth, fifth]);
    expect(scheduler.activeCount).toBe(2);
  });

  it("reports a failed run, and continues", async () => {
    const { store, scheduler, runs, errors } = await openWorld({ maxConcurrent: 1 });
    await scheduler.start();
    scheduler.submit(await accept(store));
    scheduler.submit(await accept(store));
    const defect = new Error("a defect");
    await runs[0]?.end(defect);
    expect(errors).toEqual([defect]);
    expect(runs).toHaveLength(2);
  });

  it("lets runs end when it stops, starts no others, and drops those that take too long", async () => {
    const { store, scheduler, runs } = await openWorld({ maxConcurrent: 2 });
    await scheduler.start();
    for (const row of [await accept(store), await accept(store), await accept(store)]) scheduler.submit(row);
    const stopping = scheduler.stop(50);
    expect(runs.map(({ isSuspended }) => isSuspended)).toEqual([true, true]);
    await runs[0]?.end();
    await stopping;
    expect(runs).toMatchObject([{}, { isAborted: true }]);
    expect(runs).toHaveLength(2);
  });

  it("ends although dropped work is never recorded: nothing is awaited after the drain", async () => {
    const onDrained = vi.fn();
    const abort = vi.fn();
    const silence = Promise.withResolvers<void>();
    const startRun = () => ({ done: silence.promise, isWaiting: false, isQueued: false, drain: () => {}, abort });
    const { store, scheduler } = await openWorld({ startRun, onDrained });
    await scheduler.start();
    scheduler.submit(await accept(store));
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => {
      silence.resolve();
      vi.useRealTimers();
    });
    let isStopped = false;
    const stopping = scheduler.stop(1_000).then(() => {
      isStopped = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect([onDrained, abort].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect([onDrained, abort].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(isStopped).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await stopping;
  });

  it("resumes a suspended execution when it is due: at its time, or at once after a command", async () => {
    let clock = Date.now();
    const { store, scheduler, runs, ids } = await openWorld({ now: () => clock });
    await scheduler.start();
    const [ordered, due, later] = [await accept(store), await accept(store), await accept(store)];
    const suspend = (executionId: string, wakeAt: number) =>
      store.eventStore.release({ executionId, epoch: 1, expectedSeq: 0, wakeAt });
    for (const [{ id }, afterMs] of [
      [ordered, 9e9],
      [due, 60_000],
      [later, 9e9],
    ] as const) {
      await suspend(id, clock + afterMs);
    }
    await appendTo(store.eventStore, appendOf(ordered.id, 0, { status: "waiting" }));
    await expect.poll(ids).toEqual([ordered.id]);
    clock += 60_000;
    await expect.poll(ids).toEqual([ordered.id, due.id]);
    expect(runs.map(({ isRecovered, execution }) => [isRecovered, execution.epoch])).toEqual([
      [false, 2],
      [false, 2],
    ]);
  });

  it.each<[string, (run: ManualRun) => unknown]>([
    ["ends", (run) => run.end()],
    ["only waits from now on", (run) => run.wait(true)],
  ])("takes up what is due as soon as a run leaves its place: it %s", async (_how, leave) => {
    // Nothing is found by the look that comes every second.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { store, scheduler, runs, ids } = await openWorld({ maxConcurrent: 1 });
    await scheduler.start();
    const [running, due] = [await accept(store), await accept(store)];
    scheduler.submit(running);
    await store.eventStore.release({ executionId: due.id, epoch: 1, expectedSeq: 0, wakeAt: 9e15 });
    await appendTo(store.eventStore, appendOf(due.id, 0, { status: "waiting" }));
    // Whoever heard of that has found no place by then.
    await new Promise(setImmediate);
    expect(ids()).toEqual([running.id]);
    for (const run of runs.slice(0, 1)) await leave(run);
    // Polling would move the clock on.
    for (let turn = 0; turn < 1_000 && ids().length < 2; turn += 1) await new Promise(setImmediate);
    expect(ids()).toEqual([running.id, due.id]);
  });

  it("leaves due executions in the store as long as it has no slot for them", async () => {
    const { store, scheduler, runs, ids } = await openWorld({ maxConcurrent: 2 });
    const rows = await Promise.all(Array.from({ length: 5 }, () => accept(store)));
    for (const { id } of rows) {
      await store.eventStore.release({ executionId: id, epoch: 1, expectedSeq: 0, wakeAt: 1 });
    }
    await scheduler.start();
    expect([ids().length, scheduler.activeCount]).toEqual([2, 2]);
    for (let ended = 0; ended < 5; ended += 1) {
      await runs[ended]?.end();
      await expect.poll(() => ids().length).toBe(Math.min(5, ended + 3));
      expect(scheduler.activeCount).toBeLessThanOrEqual(2);
    }
    expect(ids().sort()).toEqual(rows.map(({ id }) => id).sort());
  });

  it("keeps the newer of two runs of one execution", async () => {
    const { store, scheduler, runs } = await openWorld();
    await scheduler.start();
    const row = await accept(store);
    scheduler.submit(row);
    scheduler.submit({ ...row, epoch: 2 });
    await runs[0]?.end();
    expect(scheduler.activeCount).toBe(1);
    await runs[1]?.end();
    expect(scheduler.activeCount).toBe(0);
  });

  it("does not start with a store that can't be written", async () => {
    const { store, scheduler } = await openWorld();
    await store.close();
    await expect(scheduler.start()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("alternates between workspaces, however many executions of one wait", async () => {
    const { store, scheduler, runs, ids } = await openWorld({ maxConcurrent: 1 });
    await scheduler.start();
    const accepted: ExecutionRow[] = [];
    for (const workspace of ["ws_a", "ws_a", "ws_a", "ws_a", "ws_b", "ws_b", "ws_c"]) {
      const execution = await accept(store, workspace);
      accepted.push(execution);
      scheduler.submit(execution);
    }
    for (let count = 1; count < accepted.length; count += 1) await runs.at(-1)?.end();
    expect(ids()).toEqual([0, 1, 4, 6, 2, 5, 3].map((place) => accepted[place]?.id));
    expect(scheduler.activeCount).toBe(1);
  });
});
