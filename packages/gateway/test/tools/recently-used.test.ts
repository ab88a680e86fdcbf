import { expect, it } from "vitest";
import { createRecentlyUsed } from "../../src/tools/toolset/recently-used.ts";

function createWorld(maxEntries: number, maxCharacters: number) {
  const made: string[] = [];
  const kept = createRecentlyUsed<string>({ maxEntries, maxCharacters }, (value) => value.length);
  const get = (key: string) =>
    kept.get(key, async () => {
      made.push(key);
      if (key.startsWith("broken")) throw new Error("can't be made");
      return key;
    });
  return { get, made };
}

it.each<[string, number, number]>([
  ["entries", 2, 1_000],
  ["characters", 100, 6],
])("keeps no more %s than it may, and those that were used last", async (_what, maxEntries, maxCharacters) => {
  const { get, made } = createWorld(maxEntries, maxCharacters);
  for (const key of ["one", "two", "one", "six", "one", "two"]) await get(key);
  expect(made).toEqual(["one", "two", "six", "two"]);
});

it("does not keep what is too large by itself, nor what can't be made", async () => {
  const { get, made } = createWorld(100, 6);
  await get("too large");
  await get("one");
  await get("too large");
  await expect(get("broken")).rejects.toThrow("can't be made");
  await expect(get("broken")).rejects.toThrow("can't be made");
  expect(made).toEqual(["too large", "one", "too large", "broken", "broken"]);
});

it("makes one value for many that ask at once", async () => {
  const { get, made } = createWorld(100, 100);
  await Promise.all([get("one"), get("one"), get("one")]);
  expect(made).toEqual(["one"]);
});
