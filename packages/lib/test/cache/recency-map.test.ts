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

it("forgets what is deleted, and takes as many again", () => {
  const map = new RecencyMap<number>(1);
  map.set("a", 1);
  map.delete("a");
  map.delete("never there");
  expect([map.get("a"), map.size]).toEqual([undefined, 0]);
  map.set("b", 2);
  expect(map.get("b")).toBe(2);
});
