import fc from "fast-check";
import { expect, it } from "vitest";
import { PartialTextReader } from "../../src/executions/streams/follow.ts";
import { PartialText } from "../../src/executions/streams/text-deltas.ts";

const NAME = { executionId: "exec_01m7yj864ke00brb1mkxjenfhm", turn: 2, attempt: 2 };

it("a partial text returns the text after any position, whatever pieces it was written in", () => {
  const piece = fc.oneof(fc.string(), fc.string({ minLength: 3_000, maxLength: 9_000 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.nat(), (pieces, where) => {
      const partialText = new PartialText(NAME);
      for (const text of pieces) partialText.append(text);
      const whole = pieces.join("");
      const position = where % (whole.length + 1);
      expect(partialText.length).toBe(whole.length);
      expect(partialText.since(position)).toBe(whole.slice(position));
      expect(partialText.since(0)).toBe(whole);
    }),
  );
});

it.each([
  [{ turn: 1, attempt: 3 }, true],
  [{ turn: 2, attempt: 1 }, true],
  [{ turn: 2, attempt: 2 }, false],
  [{ turn: 2, attempt: 3 }, false],
  [{ turn: 3, attempt: 1 }, false],
])("a partial text of turn 2, attempt 2 against %o: it is the later one: %s", (other, isAfter) => {
  expect(new PartialText(NAME).isAfter(other)).toBe(isAfter);
});

it("a reader gets a long text in deltas of at most 16,384 code units, none of which ends in half a character", () => {
  const characters = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
  const lengths = fc.integer({ min: 16_376, max: 16_392 });
  fc.assert(
    fc.property(fc.array(fc.tuple(lengths, characters), { minLength: 1, maxLength: 4 }), (pieces) => {
      const partialText = new PartialText(NAME);
      for (const [length, text] of pieces) partialText.append("a".repeat(length) + text);
      const reader = new PartialTextReader({ partialText });
      reader.pass({ type: "model.requested", turn: NAME.turn, attempt: NAME.attempt });
      const parts = [...reader.deltas()].map(({ text }) => text);
      expect(parts.join("")).toBe(partialText.since(0));
      expect(parts.filter((part) => part.length > 16_384 || !part.isWellFormed())).toEqual([]);
      expect([...reader.deltas()]).toEqual([]);
    }),
  );
});
