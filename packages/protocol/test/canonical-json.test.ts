import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../src/index.ts";

/** The IEEE 754 double whose big-endian bytes these are. */
function double(hex: string): number {
  return Buffer.from(hex, "hex").readDoubleBE();
}

describe("numbers, by the table in appendix B of RFC 8785", () => {
  it.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("writes %s as %s", (hex, text) => {
    expect(canonicalJson(double(hex))).toBe(text);
  });
});

it.each<[string, unknown, string]>([
  ["literals", [null, true, false], "[null,true,false]"],
  ["nesting without white space", { b: [1, { d: "x", c: {} }], a: [] }, '{"a":[],"b":[1,{"c":{},"d":"x"}]}'],
  [
    "short escapes, and lower-case hex for other controls",
    '\b\t\n\f\r"\\/\u000f\u001f\u007f',
    '"\\b\\t\\n\\f\\r\\"\\\\/\\u000f\\u001f\u007f"',
  ],
  ["text outside of ASCII as it is, without normalising", "é e\u0301 😀", '"é e\u0301 😀"'],
  [
    "names by their UTF-16 code units",
    { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\u{1f600}": 5, "\u0080": 6, "\u00f6": 7 },
    '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
  ],
  ["names that look like numbers as text", { "10": 1, "9": 2, "": 3 }, '{"":3,"10":1,"9":2}'],
  ["a member named __proto__", JSON.parse('{"z":1,"__proto__":{"a":2}}'), '{"__proto__":{"a":2},"z":1}'],
  ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
  ["no member that is undefined", { a: undefined, b: 1 }, '{"b":1}'],
])("writes %s", (_case, value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

it("gives equal texts for equal values and reads back as the value, for any JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // Through JSON first: it has no negative zero.
      const sent: unknown = JSON.parse(JSON.stringify(value));
      const text = canonicalJson(sent);
      expect(JSON.parse(text)).toEqual(sent);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

function cycle(): unknown {
  const value: Record<string, unknown> = {};
  value["self"] = value;
  return value;
}

it("takes a thousand levels", () => {
  expect(canonicalJson(nested(1_000))).toHaveLength(2_001);
});

it.each<[string, unknown]>([
  ["NaN", [Number.NaN]],
  ["infinity", { a: Number.POSITIVE_INFINITY }],
  ["undefined", undefined],
  ["undefined in a list", [undefined]],
  ["a hole in a list", new Array(1)],
  ["a bigint", 1n],
  ["a function", { a: () => 1 }],
  ["a symbol", Symbol("a")],
  ["a date", new Date(0)],
  ["a map", new Map()],
  ["a lone surrogate in a text", "\ud83d"],
  ["a lone surrogate in a name", { "\ude00": 1 }],
  ["a cycle", cycle()],
  ["1 001 levels", nested(1_001)],
  ["levels that would exhaust the stack", nested(200_000)],
])("refuses %s", (_case, value) => {
  expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ code: "PAYLOAD_INVALID" }));
});
