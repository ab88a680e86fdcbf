import { describe, expect, it } from "vitest";
import { type CallOutcome, createMemoryIdempotencyStore, type IdempotencyStore } from "../../src/index.ts";
import { outcomeOf } from "../support/outcome.ts";

const BUDGET_MS = 10_000;
const KEEP_MS = 600_000;
const never = new AbortController().signal;

function createStore(options: { maxEntries?: number; maxCharacters?: number } = {}) {
  const clock = { nowMs: 0 };
  const store = createMemoryIdempotencyStore({ ...options, now: () => clock.nowMs });
  return { store, clock };
}

function claim(store: IdempotencyStore, key = "tc_1", fingerprint = "f") {
  return store.claim({ key, fingerprint, lapsesAfterMs: BUDGET_MS, keepForMs: KEEP_MS });
}

async function holderOf(store: IdempotencyStore, key = "tc_1"): Promise<string> {
  const claimed = await claim(store, key);
  if (claimed.state !== "claimed") throw new Error(`expected to claim ${key}, got ${claimed.state}`);
  return claimed.holder;
}

function outcome(body = "{}", attempt = 1): CallOutcome {
  return { status: 200, body, attempt };
}

it("gives one of many claims at once to one holder", async () => {
  const { store } = createStore();
  const claims = await Promise.all(Array.from({ length: 50 }, () => claim(store)));
  expect(claims.filter(({ state }) => state === "claimed")).toHaveLength(1);
  expect(claims.filter(({ state }) => state === "in_flight")).toHaveLength(49);
});

it("hands out the outcome of a completed call", async () => {
  const { store } = createStore();
  await store.complete("tc_1", await holderOf(store), outcome("{1}"));
  expect(await claim(store)).toEqual({ state: "finished", outcome: outcome("{1}") });
});

it("lets a released call be claimed again, by another holder", async () => {
  const { store } = createStore();
  const first = await holderOf(store);
  await store.release("tc_1", first, outcome());
  expect(await holderOf(store)).not.toBe(first);
});

describe("another fingerprint under the same key is a conflict while the call", () => {
  it.each<[string, (store: IdempotencyStore, holder: string) => Promise<void>]>([
    ["is running", async () => {}],
    ["is finished", (store, holder) => store.complete("tc_1", holder, outcome())],
    ["was released", (store, holder) => store.release("tc_1", holder, outcome())],
  ])("%s", async (_name, end) => {
    const { store } = createStore();
    await end(store, await holderOf(store));
    expect(await claim(store, "tc_1", "other")).toEqual({ state: "conflict" });
  });
});

describe("a claim whose holder died", () => {
  it("lapses with the call's budget, and no earlier", async () => {
    const { store, clock } = createStore();
    await holderOf(store);
    clock.nowMs = BUDGET_MS - 1;
    expect((await claim(store)).state).toBe("in_flight");
    clock.nowMs = BUDGET_MS;
    expect((await claim(store)).state).toBe("claimed");
  });

  it.each(["complete", "release"] as const)("can't %s the call of the next holder", async (method) => {
    const { store, clock } = createStore();
    const dead = await holderOf(store);
    clock.nowMs = BUDGET_MS;
    const alive = await holderOf(store);
    await store[method]("tc_1", dead, outcome("{dead}"));
    expect((await claim(store)).state).toBe("in_flight");
    await store.complete("tc_1", alive, outcome("{alive}"));
    expect(await claim(store)).toEqual({ state: "finished", outcome: outcome("{alive}") });
  });
});

describe("a run that ends twice", () => {
  it("is finished when it was released at its deadline and then succeeded", async () => {
    const { store } = createStore();
    const holder = await holderOf(store);
    await store.release("tc_1", holder, outcome("{timeout}"));
    await store.complete("tc_1", holder, outcome("{late}"));
    expect(await claim(store)).toEqual({ state: "finished", outcome: outcome("{late}") });
  });

  it("stays finished when it is released afterwards", async () => {
    const { store } = createStore();
    const holder = await holderOf(store);
    await store.complete("tc_1", holder, outcome());
    await store.release("tc_1", holder, outcome());
    expect((await claim(store)).state).toBe("finished");
  });
});

describe("waiting", () => {
  it.each(["complete", "release"] as const)("ends with the outcome when the holder calls %s", async (method) => {
    const { store } = createStore();
    const holder = await holderOf(store);
    const waits = [store.wait("tc_1", never), store.wait("tc_1", never)];
    await store[method]("tc_1", holder, outcome("{x}", 3));
    expect(await Promise.all(waits)).toEqual([outcome("{x}", 3), outcome("{x}", 3)]);
  });

  it("ends without one when the signal aborts, before or after it began", async () => {
    const { store } = createStore();
    await holderOf(store);
    const controller = new AbortController();
    const wait = store.wait("tc_1", controller.signal);
    controller.abort();
    expect(await wait).toBeUndefined();
    expect(await store.wait("tc_1", controller.signal)).toBeUndefined();
  });

  it("ends without one when the claim lapses", async () => {
    const store = createMemoryIdempotencyStore();
    await store.claim({ key: "tc_1", fingerprint: "f", lapsesAfterMs: 20, keepForMs: KEEP_MS });
    expect(await store.wait("tc_1", never)).toBeUndefined();
    expect((await claim(store)).state).toBe("claimed");
  });

  it("ends at once when nobody runs the call", async () => {
    const { store } = createStore();
    expect(await store.wait("tc_1", never)).toBeUndefined();
  });
});

describe("what is remembered", () => {
  it("lives as long as it must, counted from the end of the run", async () => {
    const { store, clock } = createStore();
    const holder = await holderOf(store);
    clock.nowMs = 5_000;
    await store.complete("tc_1", holder, outcome());
    clock.nowMs = 5_000 + KEEP_MS - 1;
    expect((await claim(store)).state).toBe("finished");
    clock.nowMs = 5_000 + KEEP_MS;
    expect((await claim(store)).state).toBe("claimed");
  });

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
