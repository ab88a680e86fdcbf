import { describe, expect, it } from "vitest";
import { ReaderQueue, ReadSlots } from "../../../src/executions/streams/read-slots.ts";
import { SharedReads } from "../../../src/executions/streams/shared-events.ts";

const of = (workspaceId: string, executionId: string) => ({ workspaceId, executionId });
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function takeAll(queue: ReaderQueue<string>): readonly string[] {
  const taken: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
}

describe("a fair queue", () => {
  it("takes workspaces in turn, their executions in turn, and each of those in order", () => {
    const queue = new ReaderQueue<string>();
    for (const name of ["a1", "a2", "a3", "a4"]) queue.add(of("a", "large"), name);
    queue.add(of("a", "small"), "s1");
    for (const name of ["b1", "b2"]) queue.add(of("b", "other"), name);
    expect(takeAll(queue)).toEqual(["a1", "b1", "s1", "b2", "a2", "a3", "a4"]);
    expect(queue.isEmpty).toBe(true);
  });

  it("forgets withdrawn items", () => {
    const queue = new ReaderQueue<string>();
    for (const name of ["a1", "a2"]) queue.add(of("a", "one"), name);
    queue.add(of("b", "two"), "b1");
    queue.delete(of("a", "one"), "a1");
    queue.delete(of("b", "two"), "b1");
    queue.delete(of("b", "two"), "b1");
    expect(takeAll(queue)).toEqual(["a2"]);
  });
});

/** Reads that end when the test says so. */
class Held {
  readonly begun: string[] = [];
  readonly #ends: (() => void)[] = [];

  read(name: string): () => Promise<string> {
    return () => {
      this.begun.push(name);
      return new Promise((resolve) => this.#ends.push(() => resolve(name)));
    };
  }

  async endFirst(): Promise<void> {
    this.#ends.shift()?.();
    await nextTurn();
  }
}

describe("shared reads", () => {
  it("happen once for all readers that ask before they begin, and again for later readers", async () => {
    const held = new Held();
    const reads = new SharedReads<string>(new ReadSlots());
    const { signal } = new AbortController();
    const ask = (name: string) => reads.read(of("a", name), name, held.read(name), signal);
    const under = [ask("one"), ask("two")];
    const shared = Array.from({ length: 50 }, () => ask("three"));
    expect(held.begun).toEqual(["one", "two"]);
    await held.endFirst();
    expect(held.begun).toEqual(["one", "two", "three"]);
    shared.push(ask("three"));
    for (let left = 0; left < 3; left += 1) await held.endFirst();
    expect(held.begun).toEqual(["one", "two", "three", "three"]);
    await held.endFirst();
    expect(await Promise.all([...under, ...shared])).toEqual(["one", "two", ...shared.map(() => "three")]);
  });

  it("never happen if all readers have left, and happen for one that stays", async () => {
    const held = new Held();
    const reads = new SharedReads<string>(new ReadSlots());
    const staying = new AbortController();
    const leaving = new AbortController();
    const ask = (name: string, { signal }: AbortController) => reads.read(of("a", name), name, held.read(name), signal);
    const begun = [ask("one", leaving), ask("two", staying)];
    const left = [ask("left", leaving), ask("left", leaving), ask("kept", leaving)];
    const kept = ask("kept", staying);
    leaving.abort();
    expect(await Promise.all([begun[0], ...left])).toEqual([undefined, undefined, undefined, undefined]);
    expect(await ask("gone", leaving)).toBeUndefined();
    for (let rest = 0; rest < 3; rest += 1) await held.endFirst();
    expect(held.begun).toEqual(["one", "two", "kept"]);
    expect([await begun[1], await kept]).toEqual(["two", "kept"]);
  });

  it("report a failure to all readers, and continue", async () => {
    const reads = new SharedReads<string>(new ReadSlots());
    const { signal } = new AbortController();
    const fail = () => Promise.reject(new Error("expected"));
    await expect(reads.read(of("a", "one"), "one", fail, signal)).rejects.toThrow("expected");
    expect(await reads.read(of("a", "one"), "one", async () => "fine", signal)).toBe("fine");
  });
});

it("few reads begin per iteration of the event loop when each takes long", async () => {
  const slots = new ReadSlots();
  let begun = 0;
  let ended = 0;
  const read = async () => {
    begun += 1;
    const until = performance.now() + 6;
    while (performance.now() < until);
    ended += 1;
  };
  for (let count = 0; count < 5; count += 1) slots.add(of("a", `${count}`), read);
  expect(begun).toBe(1);
  for (let turn = 0; ended < 5; turn += 1) {
    expect(begun).toBeLessThanOrEqual(turn + 1);
    await nextTurn();
  }
});
