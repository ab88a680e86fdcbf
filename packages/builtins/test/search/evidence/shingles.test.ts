import { expect, it } from "vitest";
import { resemblance, shinglesOf } from "../../../src/search/evidence/near-duplicates.ts";

const words = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `w${from + index}`);

// By hand: n words have n − 4 runs of five.
it.each<[name: string, one: readonly string[], other: readonly string[], resemblance: number, containment: number]>([
  ["the same text", words(1, 24), words(1, 24), 1, 1],
  ["another last word", words(1, 24), [...words(1, 23), "x"], 19 / 21, 19 / 20],
  ["another word in the middle", words(1, 24), [...words(1, 11), "x", ...words(13, 24)], 15 / 25, 15 / 20],
  ["a part of it", words(1, 24), words(1, 14), 10 / 20, 1],
  ["nothing in common", words(1, 24), words(101, 124), 0, 0],
  ["too few words", words(1, 4), words(1, 4), 0, 0],
])("%s", (_name, one, other, shared, containment) => {
  const common = resemblance(shinglesOf(one), shinglesOf(other));
  expect(common.resemblance).toBeCloseTo(shared, 10);
  expect(common.containment).toBeCloseTo(containment, 10);
});

it("counts a repeated run once, as the paper's rose", () => {
  // Broder's example with runs of five: of "a rose is a rose is a rose is a rose" three differ.
  expect(shinglesOf("a rose is a rose is a rose is a rose".split(" ")).size).toBe(3);
});
