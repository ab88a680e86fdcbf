import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { executionIdOf, newCallId } from "../../src/ids/call-ids.ts";
import { newId } from "../../src/ids/ids.ts";

const KINDS = ["toolCall", "attempt"] as const;
const OUTSIDE_ALPHABET = [..."ilouILOUA._- é\0"];

describe.each(KINDS)("newCallId of the kind %s", (kind) => {
  it("creates ids that differ, sort by their ordinal and contain their execution", () => {
    const executionId = newId("execution");
    const ids = Array.from({ length: 32_768 }, (_, ordinal) => newCallId(kind, executionId, ordinal));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids.map(executionIdOf))).toEqual(new Set([executionId]));
    expect(ids[0]).toMatch(/^(tc|att)_[0-9a-hjkmnp-tv-z]{34}$/);
  });

  it("creates ids that differ for one ordinal, and for ordinals with the same last digits", () => {
    const executionId = newId("execution");
    const ids = [0, 0, 0, 0, 32_768, 32_768, 65_536].map((ordinal) => newCallId(kind, executionId, ordinal));
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids.map((id) => id.length))).toEqual(new Set([kind === "toolCall" ? 37 : 38]));
  });
});

describe("executionIdOf", () => {
  it("finds no execution in an id without one, nor in one of another kind", () => {
    for (const id of [newId("toolCall"), newId("attempt"), newId("execution"), "", "tc_", "tc_1"]) {
      expect(executionIdOf(id)).toBeUndefined();
    }
    const id = newCallId("toolCall", newId("execution"), 1);
    expect(executionIdOf(id.replace("tc_", "apr_"))).toBeUndefined();
  });

  it("finds no execution in an id with a character too many, too few, or outside the alphabet", () => {
    const ids = fc.record({
      kind: fc.constantFrom(...KINDS),
      ordinal: fc.nat(),
      place: fc.nat(37),
      character: fc.constantFrom(...OUTSIDE_ALPHABET),
    });
    fc.assert(
      fc.property(ids, ({ kind, ordinal, place, character }) => {
        const executionId = newId("execution");
        const id = newCallId(kind, executionId, ordinal);
        expect(executionIdOf(id)).toBe(executionId);
        const at = Math.min(place, id.length - 1);
        const changed = [
          `${id.slice(0, at)}${id.slice(at + 1)}`,
          `${id.slice(0, at)}0${id.slice(at)}`,
          `${id.slice(0, at)}${character}${id.slice(at + 1)}`,
          `${id}\n`,
          id.toUpperCase(),
        ];
        for (const text of changed) if (text !== id) expect(executionIdOf(text)).not.toBe(executionId);
      }),
    );
  });
});
