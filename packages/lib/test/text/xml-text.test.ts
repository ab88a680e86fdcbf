import { expect, it } from "vitest";
import { xmlAttribute, xmlText } from "../../src/text/xml-text.ts";

it.each([
  ["markup", `<a href="x">&</a>`, "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;"],
  ["control characters", "a\u0000b\u001b[31mc\u0008", "a?b?[31mc?"],
  ["tabs and line breaks, which are allowed", "a\tb\r\nc", "a\tb\r\nc"],
  ["half a surrogate pair", "a\ud83d", "a?"],
  ["a whole pair", "😀", "😀"],
  ["noncharacters", "a\ufffe\uffff", "a??"],
])("escapes %s", (_name, text, escaped) => {
  expect(xmlText(text)).toBe(escaped);
});

it("puts an attribute in quotes", () => {
  expect(xmlAttribute(`a "b"`)).toBe('"a &quot;b&quot;"');
});
