import fc from "fast-check";
import { type ParseError, parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { readJson } from "../../../src/json-validator/syntax/read-json.ts";

/**
 * Where a text stops being JSON, and what was probably meant. The places are those of an independent parser, CPython
 * 3.11's `json.loads` (`JSONDecodeError.lineno:colno`).
 */
const BROKEN: readonly (readonly [text: string, place: string, hint: RegExp])[] = [
  ['{"a": 1,}', "1:9", /^remove the comma before it$/],
  ["[1, 2,]", "1:7", /^remove the comma before it$/],
  ["[1,\n2,\n3,\n]", "4:1", /^remove the comma before it$/],
  ["[1,, 2]", "1:4", /a value is missing before the comma/],
  ["[,1]", "1:2", /one comma too many/],
  ["{,}", "1:2", /one comma too many/],
  ['{"a":1,"b":2,,}', "1:14", /one comma too many/],
  ['{"a" 1}', "1:6", /a colon is missing/],
  ['{"a" = 1}', "1:6", /put a colon between a name and its value/],
  ['{"a"}', "1:5", /a name but no value/],
  ['{"a": }', "1:7", /the value is missing/],
  ['{"a":{"b":[1,{"c":}]}}', "1:19", /the value is missing/],
  ['{"a": 1 "b": 2}', "1:9", /a comma is missing/],
  ["[1 2]", "1:4", /a comma is missing/],
  ['["a" "b"]', "1:6", /a comma is missing/],
  ['{"a": 1; "b": 2}', "1:8", /separate members with commas/],
  ["[1: 2]", "1:3", /only members of an object/],
  ["{'a': 1}", "1:2", /put property names in double quotes/],
  ["['a']", "1:2", /put strings in double quotes/],
  ["`a`", "1:1", /put strings in double quotes/],
  ["[“a”]", "1:2", /straight double quotes/],
  ["{a: 1}", "1:2", /put property names in double quotes/],
  ["{1: 2}", "1:2", /put property names in double quotes/],
  ['{\r\n  "a": 1,\r\n  b: 2\r\n}', "3:3", /put property names in double quotes/],
  ["[True]", "1:2", /^write true$/],
  ["[False, None]", "1:2", /^write false$/],
  ["[None]", "1:2", /^write null$/],
  ["[undefined]", "1:2", /not have undefined/],
  ["hello", "1:1", /put strings in double quotes/],
  ["nul", "1:1", /are true, false and null/],
  ['{\n  "a": 1,\n  "b": tru\n}', "3:8", /are true, false and null/],
  ["// note\n{}", "1:1", /not allow comments/],
  ['{"a": 1 /* note */}', "1:9", /not allow comments/],
  ['{"a": 1} # note', "1:10", /not allow comments/],
  ["[01]", "1:3", /remove the leading zeros/],
  ["[+1]", "1:2", /not allow a plus sign/],
  ["[.5]", "1:2", /a digit before the decimal point/],
  ["[0x10]", "1:3", /only allows decimal numbers/],
  ["[1_000]", "1:3", /digit separators/],
  ["[1.5.2]", "1:5", /one decimal point/],
  ['["a\nb"]', "1:4", /inside a string as \\n/],
  ['["a\tb"]', "1:4", /write it as \\t/],
  ['["\u0007"]', "1:3", /write it as \\u0007/],
  ['["\\x41"]', "1:3", /backslash as \\\\/],
  ['["C:\\dir"]', "1:5", /backslash as \\\\/],
  ['["he said "hi""]', "1:12", /a quote inside a string as \\"/],
  ["", "1:1", /the text is empty/],
  ["   ", "1:4", /the text is empty/],
  ["{", "1:2", /the { in line 1 is not closed.*} is missing/],
  ['{"a": [1, 2', "1:12", /the \[ in line 1 is not closed.*]} is missing/],
  ['{"a":1,', "1:8", /not closed/],
  ["[1, 2}", "1:6", /brackets do not match/],
  ['{"a": 1]', "1:8", /brackets do not match/],
  ["2026-01-01", "1:5", /^put the whole value in double quotes/],
  ["12:30", "1:3", /^put the whole value in double quotes/],
  ['{"born": 2026-01-01}', "1:14", /^put the whole value in double quotes/],
  ["[12:30]", "1:4", /^put the whole value in double quotes/],
  ["5 apples", "1:3", /^put the whole value in double quotes if it is one string/],
  ["{} done", "1:4", /^remove everything after/],
  ["[1]]", "1:4", /one closing bracket too many/],
  ['{"a": 1}\n{"b": 2}\n', "2:1", /several values follow each other/],
  ["```json\n{}\n```", "1:1", /Markdown fence/],
  ["\ufeff{}", "1:1", /byte order mark/],
  ["[1,\u00a02]", "1:4", /not allow this kind of space/],
];

/** Where we go on to the character that is wrong, and CPython names the beginning of what it is in, or takes it. */
const LATER: readonly (readonly [text: string, ours: string, python: string, hint: RegExp])[] = [
  ["[1.]", "1:4", "1:3", /put digits after/],
  ["[1e+]", "1:5", "1:3", /put digits after/],
  ["[-]", "1:3", "1:2", /put digits after/],
  ['["a]', "1:5", "1:2", /the string that starts in line 1, column 2 is not closed/],
  ["[NaN]", "1:2", "taken", /not have NaN/],
  ["[-Infinity]", "1:3", "taken", /infinity/],
];

function syntaxErrorOf(text: string) {
  const read = readJson(text);
  if (!("syntaxError" in read)) throw new Error("it was read");
  return read.syntaxError;
}

describe("readJson says where it breaks", () => {
  it.each(BROKEN)("%j", (text, place, hint) => {
    const error = syntaxErrorOf(text);
    expect(`${error.line}:${error.column}`).toBe(place);
    expect(error.hint).toMatch(hint);
    expect(error.message).toContain(`line ${error.line}, column ${error.column}: expected ${error.expected}, found`);
  });

  it.each(LATER)("%j", (text, ours, _python, hint) => {
    const error = syntaxErrorOf(text);
    expect(`${error.line}:${error.column}`).toBe(ours);
    expect(error.hint).toMatch(hint);
  });

  it("shows the line with a mark, cut on both sides", () => {
    const long = `{"list": [${"1, ".repeat(50)}x${", 1".repeat(50)}]}`;
    const [line = "", mark = ""] = syntaxErrorOf(`[\n${long}]`).excerpt.split("\n");
    expect(line.length).toBeLessThan(90);
    expect(line).toMatch(/^….*1, x, 1.*…$/);
    expect(line.charAt(mark.indexOf("^"))).toBe("x");
  });

  it("names the object or array that was being read", () => {
    expect(syntaxErrorOf('{"users": [{"a/b": {"c" 1}}]}').path).toBe("/users/0/a~1b");
  });
});

describe("readJson agrees with JSON.parse and jsonc-parser on what JSON is", () => {
  it("for every text that is nearly JSON", () => {
    const json = fc.json({ maxDepth: 3 });
    const broken = fc
      .tuple(
        json,
        fc.nat(),
        fc.constantFrom("", ",", '"', "}", "]", "{", "[", ":", "\\", "0", ".", "e", "-", "\n", "t"),
      )
      .map(([text, at, piece]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + piece + text.slice(place + (at % 2));
      });
    fc.assert(
      fc.property(fc.oneof(json, broken), (text) => {
        const read = readJson(text);
        const expected = parsed(text);
        expect("value" in read).toBe(expected !== undefined);
        if ("value" in read) expect(read.value).toEqual(expected?.value);
        const errors: ParseError[] = [];
        parse(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
        expect(errors.length === 0).toBe(expected !== undefined);
      }),
      { numRuns: 1_500 },
    );
  });
});

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

describe("readJson warns of", () => {
  it.each<[string, readonly (readonly [string, string, string])[]]>([
    ['{"a": 1, "b": 2}', []],
    ['{"a": 1, "a": 2}', [["DUPLICATE_KEY", "/a", "1:10"]]],
    ['{"a": 1, "\\u0061": 2}', [["DUPLICATE_KEY", "/a", "1:10"]]],
    ['[{"x": {"a": 1,\n "a": 2}}, {"a": 1}]', [["DUPLICATE_KEY", "/0/x/a", "2:2"]]],
    ['{"__proto__": 1, "__proto__": 2}', [["DUPLICATE_KEY", "/__proto__", "1:18"]]],
    ["9007199254740993", [["LOSSY_NUMBER", "", "1:1"]]],
    ["[9007199254740992, 0.1, 1.10, 1e3, 100000000000000000000000]", []],
    ["[0.1234567890123456789]", [["LOSSY_NUMBER", "/0", "1:2"]]],
    [
      "[1e400, -1e400]",
      [
        ["LOSSY_NUMBER", "/0", "1:2"],
        ["LOSSY_NUMBER", "/1", "1:9"],
      ],
    ],
    ["[1e-400, 0e-400]", [["LOSSY_NUMBER", "/0", "1:2"]]],
  ])("%s", (text, expected) => {
    const found = readJson(text).warnings.map(({ code, path, line, column }) => [code, path, `${line}:${column}`]);
    expect(found).toEqual(expected);
  });

  it("twenty things and says how many more there are", () => {
    const { warnings } = readJson(`[${Array(50).fill("12345678901234567890123").join(",")}]`);
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toEqual({ code: "MORE_WARNINGS", message: "and 30 more" });
  });
});

describe("readJson bears", () => {
  it("half a million brackets", () => {
    const deep = readJson("[".repeat(500_000));
    expect(deep).toMatchObject({ syntaxError: { column: 500_001, hint: expect.stringContaining("500000 brackets") } });
    expect(readJson("[".repeat(100_000) + "]".repeat(100_000))).toMatchObject({ depth: 100_000 });
  });
});
