import { describe, expect, it, vi } from "vitest";
import { createFairJobQueue } from "../../src/workers/fair-job-queue.ts";

const LIMITS = { maxWaiting: 2, maxWaitingCharacters: 100, maxWaitMs: 60_000 };
const busy = expect.objectContaining({ reason: "busy" });

/** A queue whose first job runs until it is told to end, and the order in which the others ran. */
function createWorld(limits = LIMITS) {
  const queue = createFairJobQueue(limits);
  const gate = Promise.withResolvers<void>();
  const order: number[] = [];
  const first = queue.run(1_000, () => gate.promise);
  const add = (id: number, characters = 10) =>
    queue.run(characters, async () => {
      order.push(id);
      return id;
    });
  return { first, add, order, end: gate.resolve, fail: gate.reject };
}

it("one job runs at a time, in the order of their requests", async () => {
  const { first, add, order, end } = createWorld();
  const others = [add(1), add(2)];
  await Promise.resolve();
  expect(order).toEqual([]);
  end();
  await first;
  expect(await Promise.all(others)).toEqual([1, 2]);
  expect(order).toEqual([1, 2]);
  expect(await add(3)).toBe(3);
});

it("a job that fails gives its turn to the next", async () => {
  const { first, add, fail } = createWorld();
  const next = add(1);
  fail(new Error("no luck"));
  await expect(first).rejects.toThrow("no luck");
  expect(await next).toBe(1);
});

it("no more than some wait, and no more than some text", async () => {
  const { add, end } = createWorld();
  const waiting = [add(1, 60)];
  await expect(add(2, 41)).rejects.toEqual(busy);
  waiting.push(add(3, 40));
  await expect(add(4, 0)).rejects.toEqual(busy);
  end();
  expect(await Promise.all(waiting)).toEqual([1, 3]);
});

it("without limits, as many wait as there are, each until its signal ends that", async () => {
  vi.useFakeTimers();
  try {
    const queue = createFairJobQueue({});
    const gate = Promise.withResolvers<void>();
    const first = queue.run(0, () => gate.promise);
    const others = Promise.all(Array.from({ length: 1_000 }, (_, id) => queue.run(1_048_576, async () => id)));
    const over = new AbortController();
    const last = expect(queue.run(0, async () => 0, over.signal)).rejects.toMatchObject({
      ...{ reason: "aborted", isUnstarted: true },
    });
    over.abort();
    await last;
    await vi.advanceTimersByTimeAsync(3_600_000);
    gate.resolve();
    await first;
    expect(await others).toHaveLength(1_000);
  } finally {
    vi.useRealTimers();
  }
});

it("nobody waits for longer than is said", async () => {
  vi.useFakeTimers();
  try {
    const { first, add, order, end } = createWorld();
    const late = expect(add(1)).rejects.toEqual(busy);
    await vi.advanceTimersByTimeAsync(60_000);
    await late;
    end();
    await first;
    expect(order).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

describe("owners", () => {
  /** Jobs of owners that run until they are told to end. */
  function createOwners(limits: { maxRunning: number; maxWaiting?: number; maxWaitingCharacters?: number }) {
    const queue = createFairJobQueue({ ...LIMITS, maxWaiting: 100, maxWaitingCharacters: 1_000, ...limits });
    const running: { name: string; end: () => void }[] = [];
    const add = (name: string, characters = 0) =>
      queue.run(
        characters,
        () => {
          const { promise, resolve } = Promise.withResolvers<void>();
          running.push({ name, end: resolve });
          return promise;
        },
        undefined,
        name[0],
      );
    const begun = () => new Promise((resolve) => setImmediate(resolve));
    const endFirst = async () => {
      await begun();
      running.shift()?.end();
      await begun();
    };
    return { add, endFirst, names: () => running.map(({ name }) => name) };
  }

  it("take turns", async () => {
    const { add, endFirst, names } = createOwners({ maxRunning: 1 });
    const all = ["a1", "a2", "a3", "b1", "b2", "c1"].map((name) => add(name));
    const order: string[] = [];
    for (const _job of all) {
      await endFirst();
      order.push(...names());
    }
    expect(order).toEqual(["b1", "c1", "a2", "b2", "a3"]);
    await Promise.all(all);
  });

  it("run no more than half of the jobs while others wait", async () => {
    const { add, endFirst, names } = createOwners({ maxRunning: 2 });
    const all = ["a1", "a2", "a3", "a4", "b1", "b2"].map((name) => add(name));
    await endFirst();
    expect(names()).toEqual(["a2", "b1"]);
    await endFirst();
    expect(names()).toEqual(["b1", "a3"]);
    await endFirst();
    expect(names()).toEqual(["a3", "b2"]);
    for (const _job of all) await endFirst();
    await Promise.all(all);
  });

  it("leave half of the places, and of the text, to others", async () => {
    const { add, endFirst, names } = createOwners({ maxRunning: 1, maxWaiting: 4, maxWaitingCharacters: 100 });
    const all = [add("a1"), add("a2", 10), add("a3", 10)];
    await expect(add("a4")).rejects.toEqual(busy);
    await expect(add("b0", 51)).rejects.toEqual(busy);
    all.push(add("b1", 50));
    for (const _job of all) await endFirst();
    await Promise.all(all);
    expect(names()).toEqual([]);
  });
});
