import { type JsonValue, MAX_TEST_PREVIEW_BYTES } from "@yagate/protocol";
import { expect, it } from "vitest";
import { slimPreview } from "../../../src/workspace-tools/slim-preview.ts";

const deep = (levels: number): JsonValue => (levels === 0 ? "end" : { down: deep(levels - 1), text: "x".repeat(300) });

it("leaves alone what is small", () => {
  const value = { total: 3, lines: [1, 2, 3], nothing: null };
  expect(slimPreview(value)).toBe(value);
});

it("shows the first items of a long list, and says how many more there are", () => {
  const rows = Array.from({ length: 500 }, (_, id) => ({ id, name: `Order ${id}` }));
  const preview = slimPreview({ total: 500, rows });
  expect(preview).toMatchObject({ total: 500, rows: expect.arrayContaining([{ id: 0, name: "Order 0" }]) });
  expect(JSON.stringify(preview)).toMatch(/"… \d+ more"\]/);
});

it.each<[string, JsonValue]>([
  ["a long text", "x".repeat(100_000)],
  ["a text of characters that JSON escapes", "\u0001".repeat(100_000)],
  ["emoji", "😀".repeat(50_000)],
  ["many fields", Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field_${index}`, index]))],
  [
    "long names of fields",
    Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${"n".repeat(9_000)}${index}`, 1])),
  ],
  ["many levels", deep(60)],
  ["lists of lists", Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => "text"))],
])("is at most 2 KiB of well-formed JSON: %s", (_what, value) => {
  const text = JSON.stringify(slimPreview(value));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_TEST_PREVIEW_BYTES);
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toMatch(/\\ud[89ab]/);
});
