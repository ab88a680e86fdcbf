import { describe, expect, it, onTestFinished, vi } from "vitest";
import { CommitBatcher, type ItemOutcome } from "../src/postgres/commit-batcher.ts";
import { StatementError } from "../src/postgres/store-error.ts";

interface Item {
  readonly key: string;
  readonly bytes?: number;
}

type Perform = (items: readonly Item[], isRepeat: boolean) => Promise<readonly ItemOutcome<string>[]>;

const resultsOf = (items: readonly Item[]) => items.map(({ key }) => ({ result: key }));
const keysOf = (groups: readonly (readonly Item[])[]) => groups.map((group) => group.map(({ key }) => key));

/** A batcher whose groups are done by `perform`, and the groups in the order in which they began. */
function batcherWith(perform: Perform = async (items) => resultsOf(items), maxInFlight = 1) {
  const groups: (readonly Item[])[] = [];
  const sizes: number[] = [];
  const batcher = new CommitBatcher<Item, string>({
    keyOf: ({ key }) => key,
    bytesOf: ({ bytes = 1 }) => bytes,
    maxInFlight,
    onCommit: ({ size }) => sizes.push(size),
    perform(items, isRepeat) {
      groups.push(items);
      return perform(items, isRepeat);
    },
  });
  onTestFinished(() => batcher.close());
  return { batcher, groups, sizes };
}

const failed = (fate: "aborted" | "lost", code?: string) =>
  new StatementError(fate, Object.assign(new Error("refused"), code === undefined ? {} : { code }));

describe("writes of one moment", () => {
  it("share a commit of at most 512", async () => {
    const { batcher, sizes } = batcherWith();
    await Promise.all(Array.from({ length: 1_025 }, (_, index) => batcher.write({ key: `${index}` })));
    expect(sizes).toEqual([512, 512, 1]);
  });

  it("share a commit of at most 8 MiB, unless one alone has more", async () => {
    const { batcher, groups } = batcherWith();
    const sizes = { a: 8_388_608, b: 1, c: 8_388_607, d: 1, e: 9_000_000, f: 1 };
    await Promise.all(Object.entries(sizes).map(([key, bytes]) => batcher.write({ key, bytes })));
    expect(keysOf(groups)).toEqual([["a"], ["b", "c"], ["d"], ["e"], ["f"]]);
  });

  it("of one key never share a commit, and keep their order", async () => {
    const { batcher, groups } = batcherWith(undefined, 4);
    const done: number[] = [];
    const writes = [1, 1, 2, 1].map((bytes, index) =>
      batcher.write({ key: bytes === 2 ? "other" : "one", bytes: index }).then(() => done.push(index)),
    );
    await Promise.all(writes);
    expect(keysOf(groups)).toEqual([["one", "other"], ["one"], ["one"]]);
    expect(done).toEqual([0, 2, 1, 3]);
  });
});

describe("a group that fails", () => {
  it("is taken apart when one item is refused, which alone fails", async () => {
    const { batcher, groups } = batcherWith(async (items) => {
      if (items.some(({ key }) => key === "bad")) throw failed("aborted", "22P05");
      return resultsOf(items);
    });
    const writes = await Promise.allSettled(["a", "bad", "b"].map((key) => batcher.write({ key })));
    expect(writes).toMatchObject([{ value: "a" }, { reason: { code: "INTERNAL" } }, { value: "b" }]);
    expect(keysOf(groups)).toEqual([["a", "bad", "b"], ["a"], ["bad"], ["b"]]);
  });

  it("fails whole when the server can't serve", async () => {
    const { batcher, groups } = batcherWith(() => Promise.reject(failed("aborted", "53100")));
    const writes = await Promise.allSettled(["a", "b"].map((key) => batcher.write({ key })));
    expect(writes).toMatchObject(["a", "b"].map(() => ({ reason: { code: "UNAVAILABLE" } })));
    expect(groups).toHaveLength(1);
  });

  it.each([
    [5, "a"],
    [6, undefined],
  ])("is tried again after %i conflicts: %s", async (conflicts, result) => {
    let count = 0;
    const { batcher } = batcherWith(async (items) => {
      count += 1;
      if (count <= conflicts) throw failed("aborted", "40001");
      return resultsOf(items);
    });
    const written = batcher.write({ key: "a" });
    if (result === undefined) await expect(written).rejects.toMatchObject({ code: "UNAVAILABLE" });
    else expect(await written).toBe(result);
  });

  it("and was lost is repeated as a repetition until its outcome is known, while others go on", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const repeats: boolean[] = [];
    const { batcher, groups } = batcherWith(async (items, isRepeat) => {
      if (items[0]?.key !== "lost") return resultsOf(items);
      repeats.push(isRepeat);
      throw failed("lost");
    });
    const lost = batcher.write({ key: "lost" });
    await expect.poll(() => repeats.length).toBeGreaterThan(0);
    expect(await batcher.write({ key: "other" })).toBe("other");
    batcher.stopAsking();
    await expect(lost).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(/was lost during a write/),
    });
    expect(repeats[0]).toBe(false);
    expect(repeats.slice(1)).toEqual(repeats.slice(1).map(() => true));
    expect(repeats.length).toBeGreaterThan(1);
    expect(groups.length).toBeGreaterThan(2);
  });
});

describe("a batcher that is closed", () => {
  it("writes what waits first, then refuses", async () => {
    const gate = Promise.withResolvers<void>();
    const { batcher, groups } = batcherWith(async (items) => {
      await gate.promise;
      return resultsOf(items);
    });
    const writes = [batcher.write({ key: "one" }), batcher.write({ key: "one" })];
    let isClosed = false;
    const closing = batcher.close().then(() => {
      isClosed = true;
    });
    await expect.poll(() => groups).toHaveLength(1);
    expect(isClosed).toBe(false);
    await expect(batcher.write({ key: "late" })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    gate.resolve();
    await closing;
    expect(groups).toHaveLength(2);
    expect(await Promise.all(writes)).toEqual(["one", "one"]);
  });

  it("waits for all groups that are on their way", async () => {
    const gates = new Map(["a", "b"].map((key) => [key, Promise.withResolvers<void>()]));
    const { batcher, groups } = batcherWith(async (items) => {
      await gates.get(items[0]?.key ?? "")?.promise;
      return resultsOf(items);
    }, 2);
    const first = batcher.write({ key: "a" });
    await expect.poll(() => groups).toHaveLength(1);
    const second = batcher.write({ key: "b" });
    await expect.poll(() => groups).toHaveLength(2);
    let isClosed = false;
    const closing = batcher.close().then(() => {
      isClosed = true;
    });
    gates.get("a")?.resolve();
    expect(await first).toBe("a");
    await new Promise(setImmediate);
    expect(isClosed).toBe(false);
    gates.get("b")?.resolve();
    await closing;
    expect(await second).toBe("b");
  });
});
