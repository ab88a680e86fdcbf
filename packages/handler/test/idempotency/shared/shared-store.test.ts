import { expect, it, vi } from "vitest";
import type { Ending, EntryTable, NewClaim, Sight } from "../../../src/idempotency/shared/entry-table.ts";
import { SharedIdempotencyStore } from "../../../src/idempotency/shared/shared-store.ts";
import type { Claim } from "../../../src/index.ts";
import { createGate } from "../../support/gate.ts";
import { claim, outcome } from "../conformance/claims.ts";

const never = new AbortController().signal;
const running: Sight = { state: "running", lapsesInMs: 1e9 };

/** A store over a table that answers as the test says; by itself, every claim succeeds and every run goes on. */
function storeOver(changed: Partial<EntryTable> = {}, timeoutMs = 1_000) {
  const claims: NewClaim[] = [];
  const endings: Ending[] = [];
  const table: EntryTable = {
    async claim(request) {
      claims.push(request);
      return { state: "claimed", holder: request.holder };
    },
    async end(ending) {
      endings.push(ending);
      return true;
    },
    look: async () => running,
    isTransient: () => false,
    ...changed,
  };
  return { store: new SharedIdempotencyStore(table, { timeoutMs, createTable: true }), claims, endings };
}

it("who waits hears at once of a run that ends in the same process", async () => {
  const look = vi.fn(async () => running);
  const { store } = storeOver({ look });
  const wait = store.wait("tc_1", never);
  await store.complete("tc_1", "me", outcome("{x}"));
  expect(await wait).toEqual(outcome("{x}"));
  expect(look).toHaveBeenCalledTimes(1);
});

it("a waiting request does not learn of the end of a run whose lease another process has taken", async () => {
  const { store } = storeOver({ end: async () => false });
  const controller = new AbortController();
  const wait = store.wait("tc_1", controller.signal);
  await store.complete("tc_1", "me", outcome("{mine}"));
  controller.abort();
  expect(await wait).toBeUndefined();
});

it("a claim that gets through too late is given back after that, not only when it was given up", async () => {
  const gate = createGate<Claim>();
  const { store, endings } = storeOver({ claim: () => gate.opened }, 20);
  await expect(claim(store)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(endings).toHaveLength(1);
  gate.open({ state: "claimed", holder: "late" });
  await expect.poll(() => endings).toHaveLength(2);
  for (const ending of endings) expect(ending).toMatchObject({ key: "tc_1", outcome: undefined, isFinal: false });
});

it("a claim that is tried again has the same holder, so that a lost answer does no harm", async () => {
  const holders: string[] = [];
  const { store } = storeOver({
    async claim({ holder }) {
      holders.push(holder);
      if (holders.length === 1) throw new Error("connection reset");
      return { state: "claimed", holder };
    },
    isTransient: () => true,
  });
  expect(await claim(store)).toEqual({ state: "claimed", holder: holders[0] });
  expect(holders[1]).toBe(holders[0]);
});

it("each claim has a holder of its own", async () => {
  const { store, claims } = storeOver();
  await Promise.all([claim(store), claim(store)]);
  expect(new Set(claims.map(({ holder }) => holder)).size).toBe(2);
});

it("a claim is asked for again when its entry has changed meanwhile, but not for ever", async () => {
  const changed = vi.fn<EntryTable["claim"]>(async () => undefined);
  const { store } = storeOver({ claim: changed });
  await expect(claim(store)).rejects.toThrow("changed during each of 20 claims");
  changed.mockImplementationOnce(async () => undefined);
  changed.mockImplementationOnce(async () => ({ state: "in_flight" }));
  expect(await claim(store)).toEqual({ state: "in_flight" });
});

it("durations are whole milliseconds that a database can add to its time", async () => {
  const { store, claims } = storeOver();
  await store.claim({ key: "tc_1", fingerprint: "f", lapsesAfterMs: 1_000.25, keepForMs: 1e300 });
  expect(claims).toMatchObject([{ lapsesAfterMs: 1_001, keepForMs: 1e12 }]);
});

it("the table is made once for many calls, and once more when that failed", async () => {
  const create = vi.fn(async () => {});
  create.mockRejectedValueOnce(new Error("permission denied"));
  const { store } = storeOver({ create });
  await expect(claim(store)).rejects.toThrow("permission denied");
  await Promise.all([claim(store), claim(store), store.wait("tc_1", AbortSignal.abort())]);
  await store.complete("tc_1", "me", outcome());
  expect(create).toHaveBeenCalledTimes(2);
});
