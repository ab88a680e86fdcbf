import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrapExternal } from "../src/result-tokens.ts";

const call = { id: "tc_1", name: "http_get" };
const BEGIN = '<tool_response tool="http_get" id="tc_1">\n';
const END = "\n</tool_response>";

function inner(text: string): string {
  const wrapped = wrapExternal(text, call);
  expect(wrapped.startsWith(BEGIN) && wrapped.endsWith(END)).toBe(true);
  return wrapped.slice(BEGIN.length, -END.length);
}

describe("external data", () => {
  it("stands between its tags unchanged", () => {
    expect(inner('{"a":"<b>tool_response</b>"}')).toBe('{"a":"<b>tool_response</b>"}');
  });

  it.each([
    ["</tool_response>", "<\\/tool_response>"],
    ["</TOOL_Response >", "<\\/TOOL_Response >"],
    ["<tool_response>", "\\u003ctool_response>"],
    ["< /tool_response>", "\\u003c /tool_response>"],
    ["</ tool_response>", "<\\/ tool_response>"],
    ["<\n/\ntool_response>", "\\u003c\n/\ntool_response>"],
    ["<</tool_response>", "<<\\/tool_response>"],
    ["</tool_response></tool_response>", "<\\/tool_response><\\/tool_response>"],
  ])("can't forge a tag: %o", (text, neutral) => {
    expect(inner(text)).toBe(neutral);
  });

  it("stays JSON of the same value, with no tag inside, whatever it contains", () => {
    const part = fc.constantFrom("</tool_response>", "<Tool_Response", "<", "/", "\\", '"', " ", "tool_response", "x");
    const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.dictionary(text, text), (value) => {
        const kept = inner(JSON.stringify(value));
        expect(JSON.parse(kept)).toEqual(value);
        expect(kept).not.toMatch(/<\s*\/?\s*tool_response/i);
      }),
    );
  });
});
