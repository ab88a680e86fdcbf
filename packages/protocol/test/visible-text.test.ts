import { expect, it } from "vitest";
import { toVisibleText } from "../src/visible-text.ts";

it.each<[string, string, string]>([
  ["plain text", "Refund ORD-7: 30 €, Zürich, 注文 😀", "Refund ORD-7: 30 €, Zürich, 注文 😀"],
  ["line breaks and tabs", "a\n\tb", "a\n\tb"],
  ["a turned direction", "ORD\u202e7-DRO", "ORD\\u202e7-DRO"],
  ["an isolated direction", "\u2066a\u2069", "\\u2066a\\u2069"],
  ["no width", "pay\u200bpal\u2060.example\ufeff", "pay\\u200bpal\\u2060.example\\ufeff"],
  ["a soft hyphen", "pay\u00adpal", "pay\\u00adpal"],
  ["control characters", "a\u0000b\u001b[31mc\r", "a\\u0000b\\u001b[31mc\\u000d"],
  ["line and paragraph separators", "a\u2028b\u2029", "a\\u2028b\\u2029"],
  ["text in tag characters", "a\u{e0041}", "a\\udb40\\udc41"],
  ["variation selectors", "a\u{e0101}\ufe0f", "a\\udb40\\udd01\\ufe0f"],
])("shows %s", (_what, text, shown) => {
  expect(toVisibleText(text)).toBe(shown);
});

it("leaves JSON the JSON of the same value", () => {
  const value = { note: "a\u202e\u200b\u{e0041}\n\u2028", list: ["\u0000"] };
  expect(JSON.parse(toVisibleText(JSON.stringify(value)))).toEqual(value);
});
