import fc from "fast-check";
import { expect, it } from "vitest";
import { Draft } from "../../src/executions/streams/partial-text.ts";
import { splitText } from "../../src/executions/streams/split-text.ts";

const NAME = { executionId: "exec_01m7yj864ke00brb1mkxjenfhm", turn: 2, attempt: 2 };

it("a draft gives what stands after any position, whatever pieces it was written in", () => {
  const piece = fc.oneof(fc.string(), fc.string({ minLength: 3_000, maxLength: 9_000 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.nat(), (pieces, where) => {
      const draft = new Draft(NAME);
      for (const text of pieces) draft.append(text);
      const whole = pieces.join("");
      const position = where % (whole.length + 1);
      expect(draft.length).toBe(whole.length);
      expect(draft.since(position)).toBe(whole.slice(position));
      expect(draft.since(0)).toBe(whole);
    }),
  );
});

it.each([
  [{ turn: 1, attempt: 3 }, true],
  [{ turn: 2, attempt: 1 }, true],
  [{ turn: 2, attempt: 2 }, false],
  [{ turn: 2, attempt: 3 }, false],
  [{ turn: 3, attempt: 1 }, false],
])("a draft of turn 2, attempt 2 against %o: it is the later one: %s", (other, isAfter) => {
  expect(new Draft(NAME).isAfter(other)).toBe(isAfter);
});

it("a text is cut into parts of a length, none in the middle of a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 2, max: 9 }), (text, maxLength) => {
      const parts = [...splitText(text, maxLength)];
      expect(parts.join("")).toBe(text);
      for (const part of parts) {
        expect(part.length).toBeLessThanOrEqual(maxLength);
        expect(part.isWellFormed()).toBe(true);
      }
    }),
  );
});
