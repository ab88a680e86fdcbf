import { describe, expect, it } from "vitest";
import { createAgedCache, createSingleFlight } from "../../../src/search/cache/result-cache.ts";

function cacheOf(maxEntries: number, maxCharacters: number) {
  let now = 1_000;
  const cache = createAgedCache<string>({
    maxEntries,
    maxCharacters,
    charactersOf: ({ length }) => length,
    now: () => now,
  });
  return {
    cache,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe("createAgedCache", () => {
  it("gives what is young enough, with its moment", () => {
    const { cache, pass } = cacheOf(10, 1_000);
    cache.set("a", "text");
    pass(500);
    expect(cache.get("a", 501)).toEqual({ value: "text", at: 1_000 });
    expect(cache.get("a", 500)).toBeUndefined();
    expect(cache.get("a", 0)).toBeUndefined();
    expect(cache.get("b", 501)).toBeUndefined();
  });

  it("gives nothing for ever when the clock is set back", () => {
    const { cache, pass } = cacheOf(10, 1_000);
    cache.set("a", "text");
    pass(-900);
    expect(cache.get("a", 500)).toBeUndefined();
  });

  it("drops what was used longest ago", () => {
    const { cache } = cacheOf(2, 1_000);
    cache.set("a", "1");
    cache.set("b", "2");
    cache.get("a", 1_000);
    cache.set("c", "3");
    expect(["a", "b", "c"].map((key) => cache.get(key, 1_000)?.value)).toEqual(["1", undefined, "3"]);
  });

  it("holds no more characters than it may", () => {
    const { cache } = cacheOf(10, 10);
    cache.set("a", "x".repeat(4));
    cache.set("b", "x".repeat(4));
    cache.set("c", "x".repeat(4));
    expect(["a", "b", "c"].map((key) => cache.get(key, 1_000) !== undefined)).toEqual([false, true, true]);
    cache.set("c", "x".repeat(100));
    expect(cache.get("c", 1_000)).toBeUndefined();
    expect(cache.get("b", 1_000)).toBeDefined();
  });
});

describe("createSingleFlight", () => {
  const live = () => new AbortController();

  it("does once what several want", async () => {
    const flights = createSingleFlight<number>();
    let begun = 0;
    const begin = async () => {
      begun += 1;
      return begun;
    };
    const results = await Promise.all([1, 2, 3].map(() => flights.run("a", live().signal, begin)));
    expect(results).toEqual([1, 2, 3].map((index) => ({ value: 1, isJoined: index > 1 })));
    expect(await flights.run("a", live().signal, begin)).toEqual({ value: 2, isJoined: false });
    expect((await flights.run("b", live().signal, begin)).value).toBe(3);
  });

  it("goes on while a caller waits, and is aborted when none does", async () => {
    const flights = createSingleFlight<string>();
    const [one, two] = [live(), live()];
    const signals: AbortSignal[] = [];
    const begin = (signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<string>(() => {});
    };
    const first = flights.run("a", one.signal, begin);
    const second = flights.run("a", two.signal, begin);
    one.abort(new Error("left"));
    await expect(first).rejects.toThrow("left");
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    two.abort(new Error("left too"));
    await expect(second).rejects.toThrow("left too");
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const third = flights.run("a", live().signal, async () => "anew");
    expect(await third).toEqual({ value: "anew", isJoined: false });
  });

  it("fails for all who wait, and keeps no failure", async () => {
    const flights = createSingleFlight<string>();
    const fail = () => Promise.reject(new Error("no"));
    const both = [flights.run("a", live().signal, fail), flights.run("a", live().signal, fail)];
    for (const one of both) await expect(one).rejects.toThrow("no");
    expect((await flights.run("a", live().signal, async () => "yes")).value).toBe("yes");
  });
});
