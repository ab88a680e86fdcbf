import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { RecentlyUsed } from "../../src/webhooks/endpoints/recently-used.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

function heldBytes(): number {
  for (let times = 0; times < 3; times += 1) collect();
  return process.memoryUsage().heapUsed;
}

it.each([0, 1, 999, 2_500])("takes them out in the order of their last use, after %i uses of one", (uses) => {
  const values = new RecentlyUsed<number>();
  for (const key of [1, 2, 3, 4]) values.use(String(key), key);
  expect(values.takeOldest()).toBe(1);
  for (let count = 0; count < uses; count += 1) values.use("2", 2);
  const order = uses === 0 ? [2, 3, 4] : [3, 4, 2];
  expect(order.map(() => values.takeOldest())).toEqual(order);
  expect(values.takeOldest()).toBeUndefined();
  values.use("5", 5);
  expect(values.takeOldest()).toBe(5);
});

it.each([
  ["nothing was ever taken out", () => undefined],
  ["something was", (values: RecentlyUsed<number>) => values.takeOldest()],
])("holds no more after many uses than after a few, where %s", (_name, prepare) => {
  const values = new RecentlyUsed<number>();
  const use = (times: number) => {
    for (let count = 0; count < times; count += 1) values.use(String(count % 6), count);
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
