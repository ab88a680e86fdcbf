import { expect, it } from "vitest";
import { defined } from "../../src/objects/defined.ts";

it("leaves out what is undefined and keeps every other value", () => {
  const members = { a: undefined, b: null, c: 0, d: "", e: false, f: [undefined] };
  expect(Object.entries(defined(members))).toEqual([
    ["b", null],
    ["c", 0],
    ["d", ""],
    ["e", false],
    ["f", [undefined]],
  ]);
});

it("makes optional what may be undefined", () => {
  const given: { a: number; b: string | undefined } = { a: 1, b: undefined };
  const made: { a: number; b?: string } = defined(given);
  expect(Object.keys(made)).toEqual(["a"]);
});
