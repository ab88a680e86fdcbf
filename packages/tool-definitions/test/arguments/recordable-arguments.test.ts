import type { JsonValue } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { recordableArguments } from "../../src/arguments/recordable-arguments.ts";

const nested = (depth: number): JsonValue => JSON.parse(`${"[".repeat(depth)}1${"]".repeat(depth)}`);

describe("refused arguments, as they are recorded", () => {
  it.each<[string, JsonValue]>([
    ["an object", { orderId: 1, options: { speed: ["fast", null] } }],
    ["an object with a name that is never allowed", { constructor: { prototype: {} } }],
    ["64 levels", nested(64)],
    ["a short text", '{"orderId":"ORD'],
  ])("are whole where they are of ordinary shape: %s", (_name, value) => {
    expect(recordableArguments(value)).toBe(value);
  });

  it.each<[string, JsonValue, string]>([
    ["65 levels", nested(65), "[left out: nested more than 64 levels deep]"],
    ["200 000 levels", nested(200_000), "[left out: nested more than 64 levels deep]"],
    ["2 MB", { text: "x".repeat(2_000_000) }, "[left out: more than 1048576 characters]"],
    ["a number past all numbers", { amount: Number.POSITIVE_INFINITY }, "[left out: one of its values is not JSON]"],
  ])("are a note otherwise: %s", (_name, value, note) => {
    expect(recordableArguments(value)).toBe(note);
  });

  it("are the beginning of a text that is no JSON", () => {
    const recorded = recordableArguments(`{"text":"${"x".repeat(2_000_000)}`);
    expect(recorded).toMatch(/^\{"text":"x+ \[cut: 1990009 of 2000009 characters left out\]$/);
  });
});
