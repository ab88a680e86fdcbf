import { expect, it } from "vitest";
import { unusedName } from "../../src/text/unused-name.ts";

it.each<[string, string, readonly string[], number, string]>([
  ["keeps a name that is not in use", "find", ["get"], 64, "find"],
  ["numbers a name that is in use", "find", ["find"], 64, "find_2"],
  ["takes the first number that is not in use", "find", ["find", "find_2", "find_4"], 64, "find_3"],
  ["cuts a long name", "abcdef", [], 4, "abcd"],
  ["makes room for the number", "abcdef", ["abcd"], 4, "ab_2"],
  ["removes a separator at the end of a name that it cuts", "ab_cdef", [], 3, "ab"],
  ["removes a separator before the number", "ab_cdef", ["ab_cd"], 5, "ab_2"],
  ["keeps a separator at the end of a short name", "ab_", [], 5, "ab_"],
])("%s", (_what, name, taken, maxLength, expected) => {
  expect(unusedName(name, new Set(taken), maxLength)).toBe(expected);
});

it("makes room for numbers of any length", () => {
  const taken = new Set(["abcd", ...Array.from({ length: 98 }, (_, index) => `ab_${index + 2}`.slice(-4))]);
  for (let count = 0; count < 200; count++) {
    const name = unusedName("abcdef", taken, 4);
    expect(name.length).toBeLessThanOrEqual(4);
    expect(taken.has(name)).toBe(false);
    taken.add(name);
  }
});
