import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { RecencyMap } from "../../src/cache/recency-map.ts";

it("drops the entry that was set least recently", () => {
  const map = new RecencyMap<number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  map.set("c", 4);
  expect([map.get("a"), map.get("b"), map.get("c"), map.size]).toEqual([3, undefined, 4, 2]);
});

it("forgets deleted entries and has room for as many again", () => {
  const map = new RecencyMap<number>(1);
  map.set("a", 1);
  map.delete("a");
  map.delete("never there");
  expect([map.get("a"), map.size]).toEqual([undefined, 0]);
  map.set("b", 2);
  expect(map.get("b")).toBe(2);
});

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

function heldBytes(): number {
  for (let times = 0; times < 3; times += 1) collect();
  return process.memoryUsage().heapUsed;
}

it.each([0, 1, 999, 2_500])("takes entries in the order of their last set, after %i sets of one", (uses) => {
  const values = new RecencyMap<number>();
  for (const key of [1, 2, 3, 4]) values.set(String(key), key);
  expect(values.takeOldest()).toBe(1);
  for (let count = 0; count < uses; count += 1) values.set("2", 2);
  const order = uses === 0 ? [2, 3, 4] : [3, 4, 2];
  expect(order.map(() => values.takeOldest())).toEqual(order);
  expect(values.takeOldest()).toBeUndefined();
  values.set("5", 5);
  expect(values.takeOldest()).toBe(5);
});

it.each([
  ["nothing was ever taken", () => undefined],
  ["something was taken", (values: RecencyMap<number>) => values.takeOldest()],
])("needs no more memory after many sets than after a few, where %s", (_name, prepare) => {
  const values = new RecencyMap<number>();
  const use = (times: number) => {
    for (let count = 0; count < times; count += 1) values.set(String(count % 6), count);
  };
  use(12);
  prepare(values);
  use(10_000);
  const before = heldBytes();
  use(500_000);
  // It was 22 MB while the iterator was kept.
  expect(heldBytes() - before).toBeLessThan(2_000_000);
  expect(values.size).toBe(6);
});
