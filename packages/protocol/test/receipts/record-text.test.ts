import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson, recordText } from "../../src/index.ts";

it("writes any JSON as RFC 8785 wants it", () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const value: unknown = JSON.parse(json);
      expect(recordText(value)).toBe(canonicalJson(value));
    }),
  );
});

it.each<[string, unknown, string]>([
  ["members in the order of their names", { b: 1, a: [{ d: 1, c: 2 }] }, '{"a":[{"c":2,"d":1}],"b":1}'],
  ["names that are numbers by their characters", { 10: 1, 9: 2 }, '{"10":1,"9":2}'],
  ["names of other scripts by their UTF-16 code units", { "\u{1f600}": 1, "\ufb33": 2 }, '{"\u{1f600}":1,"\ufb33":2}'],
  ["half a surrogate pair as JSON.stringify escapes it", "\ud800", '"\\ud800"'],
  ["nothing for what is undefined", { a: undefined, b: [undefined] }, '{"b":[null]}'],
  ["what toJSON says", { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
  ["a member of the name __proto__", JSON.parse('{"__proto__":{"b":1,"a":2}}'), '{"__proto__":{"a":2,"b":1}}'],
])("writes %s", (_what, value, text) => {
  expect(recordText(value)).toBe(text);
});
