import { describe, expect, it } from "vitest";
import { beginningOf, cutText, wholeAt, withoutHalfAtEnd } from "../../src/text/cut-text.ts";

describe("beginningOf and cutText", () => {
  it.each<[string, string, number, string, string]>([
    ["a text that fits", "abc", 3, "abc", "abc"],
    ["an empty text", "", 1, "", ""],
    ["a text that is one too long", "abcd", 3, "abc", "ab…"],
    ["room for the mark alone", "abcd", 1, "a", "…"],
    ["a character outside the basic plane that fits", "a😀", 3, "a😀", "a😀"],
    ["one that the end goes through", "a😀b", 2, "a", "a…"],
    ["one that the end goes through once the mark has its room", "a😀b", 3, "a😀", "a…"],
    ["one at the very beginning", "😀😀", 1, "", "…"],
  ])("%s", (_name, text, max, beginning, cut) => {
    expect(beginningOf(text, max)).toBe(beginning);
    expect(cutText(text, max)).toBe(cut);
    expect(cutText(text, max).isWellFormed()).toBe(true);
  });
});

it.each([
  ["a😀b", 1, 1],
  ["a😀b", 2, 1],
  ["a😀b", 3, 3],
  ["a😀", 9, 9],
  ["\ud83d\ud83d", 1, 1],
  ["\ude00\ude00", 1, 1],
])("the whole character at or before %j, %i begins at %i", (text, index, expected) => {
  expect(wholeAt(text, index)).toBe(expected);
});

it.each([
  ["a😀", "a😀"],
  ["a\ud83d", "a"],
  ["a\ude00", "a\ude00"],
  ["", ""],
])("%j without half a character at its end is %j", (text, expected) => {
  expect(withoutHalfAtEnd(text)).toBe(expected);
});
