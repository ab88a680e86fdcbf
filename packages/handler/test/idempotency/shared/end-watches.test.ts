import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EndWatches } from "../../../src/idempotency/shared/end-watches.ts";
import type { Sight } from "../../../src/idempotency/shared/entry-table.ts";
import { outcome } from "../conformance/claims.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const never = new AbortController().signal;
const running: Sight = { state: "running", lapsesInMs: 1e9 };

function watchesOf(first: Sight = running) {
  let sight = first;
  const look = vi.fn(async (_key: string) => sight);
  const see = (next: Sight) => {
    sight = next;
  };
  return { watches: new EndWatches(look), look, see };
}

describe("those who wait for a run of another process", () => {
  it("share one look at a time, however many they are", async () => {
    const { watches, look, see } = watchesOf();
    const waits = Array.from({ length: 50 }, () => watches.wait("tc_1", new AbortController().signal));
    await vi.advanceTimersByTimeAsync(60_000);
    const looks = look.mock.calls.length;
    expect(looks).toBeGreaterThan(200);
    expect(looks).toBeLessThan(300);
    see({ state: "ended", outcome: outcome("{x}") });
    await vi.advanceTimersByTimeAsync(250);
    expect(await Promise.all(waits)).toEqual(Array(50).fill(outcome("{x}")));
    expect(look).toHaveBeenCalledTimes(looks + 1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("hear of a run that ended soon within milliseconds", async () => {
    const { watches, see } = watchesOf();
    const wait = watches.wait("tc_1", never);
    await vi.advanceTimersByTimeAsync(5);
    see({ state: "ended", outcome: outcome() });
    await vi.advanceTimersByTimeAsync(10);
    expect(await wait).toEqual(outcome());
  });

  it("hear of a claim that lapses when it does", async () => {
    const { watches, look, see } = watchesOf({ state: "running", lapsesInMs: 3 });
    const wait = watches.wait("tc_1", never);
    await vi.advanceTimersByTimeAsync(0);
    see({ state: "ended", outcome: undefined });
    await vi.advanceTimersByTimeAsync(3);
    expect(await wait).toBeUndefined();
    expect(look).toHaveBeenCalledTimes(2);
  });
});

it("a run that ends in this process is heard of at once", async () => {
  const { watches, look } = watchesOf();
  const wait = watches.wait("tc_1", never);
  await vi.advanceTimersByTimeAsync(0);
  watches.tell("tc_1", outcome("{x}"));
  expect(await wait).toEqual(outcome("{x}"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(look).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

it("when all have given up, nobody looks any more, and nothing listens to their signals", async () => {
  const { watches, look } = watchesOf();
  const controller = new AbortController();
  const forgotten = vi.spyOn(controller.signal, "removeEventListener");
  const waits = [watches.wait("tc_1", controller.signal), watches.wait("tc_1", controller.signal)];
  await vi.advanceTimersByTimeAsync(0);
  controller.abort();
  expect(await Promise.all(waits)).toEqual([undefined, undefined]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(look).toHaveBeenCalledTimes(1);
  expect(forgotten).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
});

it("a look that fails is told to all who wait, and the next one begins anew", async () => {
  const { watches, look, see } = watchesOf();
  look.mockRejectedValueOnce(new Error("connection refused"));
  const waits = [watches.wait("tc_1", never), watches.wait("tc_1", never)];
  for (const wait of waits) await expect(wait).rejects.toThrow("connection refused");
  see({ state: "ended", outcome: outcome("{x}") });
  expect(await watches.wait("tc_1", never)).toEqual(outcome("{x}"));
});
