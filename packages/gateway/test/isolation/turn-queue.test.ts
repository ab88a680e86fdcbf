import { expect, it, vi } from "vitest";
import { createTurnQueue } from "../../src/isolation/turn-queue.ts";

const LIMITS = { maxWaiting: 2, maxWaitingCharacters: 100, maxWaitMs: 60_000 };
const busy = expect.objectContaining({ reason: "busy" });

/** A queue whose first job runs until it is told to end, and the order in which the others ran. */
function createWorld(limits = LIMITS) {
  const queue = createTurnQueue(limits);
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
