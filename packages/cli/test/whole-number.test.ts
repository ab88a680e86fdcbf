import { expect, it } from "vitest";
import { wholeNumberOf } from "../src/whole-number.ts";

it.each<[string, number]>([
  ["1", 1],
  ["200", 200],
  ["007", 7],
])("reads %j", (text, expected) => {
  expect(wholeNumberOf(text, "--limit", { min: 1, max: 200 })).toBe(expected);
});

it.each(["", " ", "0", "201", "-1", "1.5", "1e2", "0x10", "ten"])("refuses %j", (text) => {
  const refused = () => wholeNumberOf(text, "--limit", { min: 1, max: 200 });
  expect(refused).toThrow("expected --limit to be a whole number from 1 to 200");
});

it("says what is too small without a maximum", () => {
  expect(() => wholeNumberOf("0", "--limit", { min: 1 })).toThrow("expected --limit to be a whole number, at least 1");
});
