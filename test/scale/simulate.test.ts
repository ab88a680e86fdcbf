import { describe, expect, it } from "vitest";
import { EventQueue } from "./event-queue.ts";
import { readResults } from "./results.ts";
import { KILLED } from "./scenarios.ts";
import { itemShareOf, type Scenario, simulate } from "./simulate.ts";
import { Lane, Station } from "./simulated-parts.ts";

const { costs } = readResults();
const QUIET: Scenario = {
  replicas: 1,
  workspaces: 10,
  perSecond: 10,
  seconds: 20,
  databaseCores: 4,
  roundTripMs: 0.5,
  handlerMs: 50,
  seed: 7,
};

describe("simulated time", () => {
  it("runs what is due in the order of its moments, and of its making where two are equal", () => {
    const queue = new EventQueue();
    const seen: string[] = [];
    for (const [ms, name] of [
      [5, "c"],
      [1, "a"],
      [5, "d"],
      [2, "b"],
      [9, "late"],
    ] as const) {
      queue.after(ms, () => seen.push(`${name} at ${queue.now}`));
    }
    queue.runUntil(8);
    expect([seen, queue.now]).toEqual([["a at 1", "b at 2", "c at 5", "d at 5"], 8]);
  });

  it("keeps that order among many", () => {
    const queue = new EventQueue();
    const seen: number[] = [];
    for (let index = 0; index < 500; index += 1) queue.after((index * 7_919) % 1_000, () => seen.push(queue.now));
    queue.runUntil(1_000);
    expect(seen).toHaveLength(500);
    expect(seen).toEqual(seen.toSorted((left, right) => left - right));
  });
});

it("a station serves as many at once as it has servers, the others in their turn", () => {
  const queue = new EventQueue();
  const station = new Station(queue, 2);
  const done: number[] = [];
  for (let index = 0; index < 5; index += 1) station.serve(10, () => done.push(queue.now));
  queue.runUntil(100);
  expect([done, station.busyMs]).toEqual([[10, 10, 20, 20, 30], 50]);
});

it("a lane commits together what came while others were on their way", () => {
  const queue = new EventQueue();
  const groups: number[] = [];
  const lane = new Lane(2, (items, done) => {
    groups.push(items);
    queue.after(10, done);
  });
  let written = 0;
  for (let index = 0; index < 7; index += 1) lane.write(() => (written += 1));
  queue.runUntil(50);
  expect([groups, written]).toEqual([[1, 1, 5], 7]);
});

describe("simulated replicas", () => {
  it("do the same for the same seed, and something else for another", () => {
    expect(simulate(costs, QUIET)).toEqual(simulate(costs, QUIET));
    expect(simulate(costs, { ...QUIET, seed: 8 })).not.toEqual(simulate(costs, QUIET));
  });

  it("finish what comes in, after the handler's time and little more", () => {
    const { executions, finished, medianMs, p99Ms } = simulate(costs, QUIET);
    expect(executions).toBeGreaterThan(150);
    expect(executions - finished).toBeLessThan(5);
    expect(medianMs).toBeGreaterThan(50);
    expect(p99Ms).toBeLessThan(80);
  });

  it("that do nothing cost what was measured of one, each", () => {
    const { transactions, executions } = simulate(costs, { ...QUIET, perSecond: 0, replicas: 4, seconds: 60 });
    expect(executions).toBe(0);
    expect(transactions / 240 / costs.idle.transactions).toBeGreaterThan(0.9);
    expect(transactions / 240 / costs.idle.transactions).toBeLessThan(1.1);
  });

  it("receive every notification, those of their own included, in a transaction each", () => {
    const busy = { ...QUIET, perSecond: 100, replicas: 4 };
    const { transactions, notifications, receptions } = simulate(costs, busy);
    expect(receptions).toBe(4 * notifications);
    // Were there two for each, an execution of one replica would have had one more for each of its notifications.
    const doubled = { ...costs.notify, deliverTransactions: costs.notify.deliverTransactions + 1 };
    const [execution, crowded] = [addNotifications(costs.execution), addNotifications(costs.crowded)];
    const twice = simulate({ ...costs, notify: doubled, execution, crowded }, busy);
    expect(twice.transactions - transactions).toBeCloseTo(receptions);
  });

  it("share commits when the database is slow to answer", () => {
    const { appendsPerCommit } = simulate(costs, { ...QUIET, perSecond: 400, roundTripMs: 20 });
    expect(appendsPerCommit).toBeGreaterThan(3);
  });

  it("fall behind when they have less to compute with than is asked of them", () => {
    const perSecond = 1_500 / costs.crowded.replicaCpuMs;
    const { executions, finished, replicaLoad } = simulate(costs, { ...QUIET, perSecond, databaseCores: 64 });
    expect(finished).toBeLessThan(executions * 0.9);
    expect(replicaLoad).toBeGreaterThan(0.95);
  });

  it("take over what one left that ended, when its lease has lapsed, and lose nothing", () => {
    const { takeoverMs = 0, executions, finished } = simulate(costs, KILLED);
    expect(takeoverMs).toBeGreaterThan(7_000);
    expect(takeoverMs).toBeLessThan(11_500);
    expect(executions - finished).toBeLessThan(60);
  });
});

it("what an item adds to a commit follows from the same work done alone and in groups", () => {
  // Beside them, each sends one notification and receives it.
  const execution = { ...costs.execution, databaseCpuMs: 6, transactions: 7, notifications: 1 };
  const crowded = { ...costs.crowded, databaseCpuMs: 3, transactions: 3, notifications: 1 };
  const notify = { ...costs.notify, sendMs: 0.6, deliverMs: 0.4, deliverTransactions: 1 };
  expect(itemShareOf({ ...costs, execution, crowded, notify })).toBeCloseTo(0.25);
});

function addNotifications<Part extends { readonly transactions: number; readonly notifications: number }>(part: Part) {
  return { ...part, transactions: part.transactions + part.notifications };
}
