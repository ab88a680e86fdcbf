import fc from "fast-check";
import { expect, it } from "vitest";
import { type DiffLine, diffLines } from "../src/parts/diff-lines.ts";

const signs = (lines: readonly DiffLine[]) =>
  lines.map(({ kind, text }) => `${{ same: " ", removed: "-", added: "+" }[kind]}${text}`).join("");

it.each([
  ["the same", "abc", "abc", " a b c"],
  ["a new text", "", "ab", "+a+b"],
  ["a removed line", "abc", "ac", " a-b c"],
  ["a changed line", "abc", "axc", " a-b+x c"],
  ["a moved line", "abc", "cab", "+c a b-c"],
])("%s", (_name, before, after, expected) => {
  expect(signs(diffLines([...before], [...after]))).toBe(expected);
});

it("holds both texts, whatever they are", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = diffLines(before, after);
      const without = (kind: DiffLine["kind"]) => diff.filter((line) => line.kind !== kind).map(({ text }) => text);
      expect(without("added")).toEqual(before);
      expect(without("removed")).toEqual(after);
    }),
  );
});
