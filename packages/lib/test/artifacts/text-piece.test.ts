import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endOf, pieceOf } from "../../src/artifacts/text-piece.ts";

describe("a piece of a text", () => {
  it.each([
    ["abcdef", 0, 3, { text: "abc", offset: 0, nextOffset: 3 }],
    ["abcdef", 3, 3, { text: "def", offset: 3, nextOffset: null }],
    ["abcdef", 4, 99, { text: "ef", offset: 4, nextOffset: null }],
    ["abcdef", 6, 3, { text: "", offset: 6, nextOffset: null }],
    ["abcdef", 99, 3, { text: "", offset: 6, nextOffset: null }],
    ["", 0, 1, { text: "", offset: 0, nextOffset: null }],
    ["a😀b", 0, 2, { text: "a", offset: 0, nextOffset: 1 }],
    ["a😀b", 1, 1, { text: "😀", offset: 1, nextOffset: 3 }],
    ["a😀b", 2, 1, { text: "😀", offset: 1, nextOffset: 3 }],
    ["a😀b", 3, 1, { text: "b", offset: 3, nextOffset: null }],
  ])("of %o from %i, %i long", (text, offset, length, piece) => {
    expect(pieceOf(text, offset, length)).toEqual(piece);
  });

  it("ends in whole characters, and one after the other they are the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 7 }), (text, length) => {
        const read: string[] = [];
        for (let offset: number | null = 0; offset !== null; ) {
          const piece = pieceOf(text, offset, length);
          expect(piece.text.isWellFormed()).toBe(true);
          expect(piece.text.length).toBeLessThanOrEqual(Math.max(length, 2));
          read.push(piece.text);
          offset = piece.nextOffset;
        }
        expect(read.join("")).toBe(text);
      }),
    );
  });
});

it.each([
  ["abc", 2, "bc"],
  ["abc", 9, "abc"],
  ["a😀", 1, "😀"],
  ["a😀", 2, "😀"],
])("the end of %o, %i long, begins with a whole character", (text, length, end) => {
  expect(endOf(text, length)).toBe(end);
});
