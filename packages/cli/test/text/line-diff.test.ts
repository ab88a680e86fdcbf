import fc from "fast-check";
import { expect, it } from "vitest";
import { diffLines, withoutDistantLines } from "../../src/text/line-diff.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
const without = (mark: "-" | "+", diff: ReturnType<typeof diffLines>) =>
  diff.filter((line) => line.mark !== mark).map(({ text }) => text);

it("a difference contains both texts completely and in order", () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = diffLines(before, after);
      expect(without("+", diff)).toEqual(before);
      expect(without("-", diff)).toEqual(after);
    }),
  );
});

it("keeps what both texts have in common", () => {
  const diff = diffLines(["a", "b", "c", "e"], ["a", "x", "c", "d", "e"]);
  expect(diff.map(({ mark, text }) => mark + text)).toEqual([" a", "-b", "+x", " c", "+d", " e"]);
});

it("counts all lines as replaced if the texts are too long to compare", () => {
  const [before, after] = ["b", "a"].map((text) => Array.from({ length: 2_001 }, (_, index) => `${text}${index}`));
  expect(diffLines(before ?? [], after ?? []).map(({ mark }) => mark)).toEqual([
    ...Array<string>(2_001).fill("-"),
    ...Array<string>(2_001).fill("+"),
  ]);
});

it("leaves out kept lines that are far from a change", () => {
  const before = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
  const diff = withoutDistantLines(diffLines(before, before.with(4, "x")));
  expect(diff.map(({ mark, text }) => mark + text)).toEqual([" …", " 3", " 4", "-5", "+x", " 6", " 7", " …"]);
});
