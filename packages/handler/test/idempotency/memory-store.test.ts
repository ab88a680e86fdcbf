import { describe, expect, it } from "vitest";
import { createMemoryIdempotencyStore } from "../../src/index.ts";
import { outcomeOf } from "../support/outcome.ts";
import { claim, holderOf, outcome } from "./conformance/claims.ts";
import { describeIdempotencyStore } from "./conformance/describe-idempotency-store.ts";

function createStore(options: { maxEntries?: number; maxCharacters?: number } = {}) {
  const clock = { addedMs: 0 };
  const store = createMemoryIdempotencyStore({ ...options, now: () => performance.now() + clock.addedMs });
  return { store, clock };
}

describeIdempotencyStore("in memory", {
  async begin() {
    const { store, clock } = createStore();
    return {
      open: async () => store,
      async age(durationMs) {
        clock.addedMs += durationMs;
      },
      async close() {},
    };
  },
  isShared: false,
});

describe("what is remembered in memory", () => {
  it("is forgotten oldest first when the store is full", async () => {
    const { store } = createStore({ maxEntries: 3 });
    for (const key of ["a", "b", "c"]) await store.complete(key, await holderOf(store, key), outcome());
    const running = await holderOf(store, "d");
    expect((await claim(store, "b")).state).toBe("finished");
    expect((await claim(store, "c")).state).toBe("finished");
    expect((await claim(store, "d")).state).toBe("in_flight");
    expect((await claim(store, "a")).state).toBe("claimed");
    await store.complete("d", running, outcome());
    expect((await claim(store, "d")).state).toBe("finished");
  });

  it("is never a running call, however full the store is", async () => {
    const { store } = createStore({ maxEntries: 1 });
    const keys = Array.from({ length: 10 }, (_, index) => `tc_${index}`);
    for (const key of keys) await holderOf(store, key);
    for (const key of keys) expect((await claim(store, key)).state).toBe("in_flight");
  });

  it("is bounded by the length of the answers too", async () => {
    const { store } = createStore({ maxCharacters: 10 });
    for (const key of ["a", "b", "c"]) await store.complete(key, await holderOf(store, key), outcome("12345"));
    expect((await claim(store, "b")).state).toBe("finished");
    expect((await claim(store, "c")).state).toBe("finished");
    expect((await claim(store, "a")).state).toBe("claimed");
  });

  it("does not grow over many calls", async () => {
    const { store } = createStore({ maxEntries: 100 });
    for (let index = 0; index < 5_000; index += 1) {
      await store.complete(`tc_${index}`, await holderOf(store, `tc_${index}`), outcome());
    }
    expect((await claim(store, "tc_4901")).state).toBe("finished");
    expect((await claim(store, "tc_4899")).state).toBe("claimed");
  });
});

it.each([{ maxEntries: 0 }, { maxEntries: Number.NaN }, { maxCharacters: 1.5 }])(
  "refuses the limit %o",
  async (options) => {
    expect(await outcomeOf(() => createMemoryIdempotencyStore(options))).toBe("INVALID_REQUEST");
  },
);
