import type { JsonValue } from "@yagate/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonPathError } from "../../src/artifacts/json-path/json-path-error.ts";
import { parseJsonPath } from "../../src/artifacts/json-path/parse-json-path.ts";
import { type SelectionLimits, selectValues } from "../../src/artifacts/json-path/select-values.ts";

const select = (path: string, value: JsonValue, limits?: SelectionLimits) =>
  selectValues(parseJsonPath(path), value, limits);

const LETTERS = ["a", "b", "c", "d", "e", "f", "g"];
const SHOP = {
  orders: [
    { id: "ORD-1", price: 5, lines: [{ sku: "A", price: 2 }] },
    { id: "ORD-2", price: 7, lines: [] },
  ],
  "with space": { "": 1, "it's": 2, 'say "hi"': 3 },
  price: null,
};

describe("a path selects", () => {
  it.each<[string, JsonValue, JsonValue[]]>([
    ["$", SHOP, [SHOP]],
    ["$.orders[0].id", SHOP, ["ORD-1"]],
    ["$['orders'][1][\"id\"]", SHOP, ["ORD-2"]],
    ["$.orders[-1].id", SHOP, ["ORD-2"]],
    ["$.orders[2]", SHOP, []],
    ["$.orders[-3]", SHOP, []],
    ["$.orders.id", SHOP, []],
    ["$.orders[*].id", SHOP, ["ORD-1", "ORD-2"]],
    ["$.orders.*.id", SHOP, ["ORD-1", "ORD-2"]],
    ["$..price", SHOP, [null, 5, 2, 7]],
    ["$..lines..price", SHOP, [2]],
    ["$..['id','sku']", SHOP, ["ORD-1", "A", "ORD-2"]],
    ["$..[0]", { a: [1, [2, 3]] }, [1, 2]],
    ["$..*", { a: [1, { b: 2 }] }, [[1, { b: 2 }], 1, { b: 2 }, 2]],
    ["$ .orders [ 0 , 1 ] .id", SHOP, ["ORD-1", "ORD-2"]],
    ["$.orders[1, 0, 1].id", SHOP, ["ORD-2", "ORD-1", "ORD-2"]],
    ["$['with space']['']", SHOP, [1]],
    ["$['with space']['it\\'s']", SHOP, [2]],
    ['$["with space"]["it\'s"]', SHOP, [2]],
    ['$["with space"]["say \\"hi\\""]', SHOP, [3]],
    ["$['\\u00e9', '\\uD83D\\uDE00', '😀', '\\n']", { é: 1, "😀": 2, "\n": 3 }, [1, 2, 2, 3]],
    ["$.é.😀", { é: { "😀": 1 } }, [1]],
    ["$.price", SHOP, [null]],
    ["$.price.x", SHOP, []],
    ["$[0]", "text", []],
    ["$.length", "text", []],
    ["$.length", [1], []],
    ["$.constructor", {}, []],
    ["$['__proto__']", JSON.parse('{"__proto__":1}'), [1]],
    ["$[1:3]", LETTERS, ["b", "c"]],
    ["$[5:]", LETTERS, ["f", "g"]],
    ["$[:2]", LETTERS, ["a", "b"]],
    ["$[-2:]", LETTERS, ["f", "g"]],
    ["$[:-5]", LETTERS, ["a", "b"]],
    ["$[1:6:2]", LETTERS, ["b", "d", "f"]],
    ["$[ 5 : 1 : -2 ]", LETTERS, ["f", "d"]],
    ["$[::-1]", LETTERS, LETTERS.toReversed()],
    // As many characters, steps and choices as a path may have.
    [`$.${"a".repeat(1_998)}`, { ["a".repeat(1_998)]: 1 }, [1]],
    [`$${".a".repeat(64)}`, {}, []],
    [`$[${"0,".repeat(63)}0]`, ["x"], Array(64).fill("x")],
    ["$[:3:-2]", LETTERS, ["g", "e"]],
    ["$[1::-1]", LETTERS, ["b", "a"]],
    ["$[::0]", LETTERS, []],
    ["$[:]", LETTERS, LETTERS],
    ["$[::]", LETTERS, LETTERS],
    ["$[9:]", LETTERS, []],
    ["$[9::-3]", LETTERS, ["g", "d", "a"]],
    ["$[-99:99]", LETTERS, LETTERS],
    ["$[9007199254740991]", LETTERS, []],
    ["$[-9007199254740991:9007199254740991:9007199254740991]", LETTERS, ["a"]],
    ["$[0:2]", { 0: 1 }, []],
  ])("%s", (path, value, values) => {
    expect(select(path, value)).toEqual({ values, isComplete: true });
  });
});

describe("what is no path is refused with its place", () => {
  it.each<[string, number, RegExp]>([
    ["", 0, /starts with \$/],
    ["orders", 0, /starts with \$/],
    [" $", 0, /starts with \$/],
    ["$ ", 2, /expected \. or \[/],
    ["$.", 2, /a name or \*/],
    ["$..", 3, /a name or \*/],
    ["$...a", 3, /a name or \*/],
    ["$.1a", 2, /a name or \*/],
    ["$.a-b", 3, /expected \. or \[/],
    ["$. a", 2, /a name or \*/],
    ["$['a'", 5, /, or \]/],
    ["$[a]", 2, /a quoted name, an index/],
    ["$[]", 2, /a quoted name, an index/],
    ["$[0,]", 4, /a quoted name, an index/],
    ["$[01]", 2, /leading zeros/],
    ["$[-0]", 2, /leading zeros/],
    ["$[9007199254740992]", 2, /leading zeros/],
    ["$[1:02]", 4, /leading zeros/],
    ["$[1:2:3:4]", 7, /, or \]/],
    ["$['a\nb']", 4, /control characters/],
    ["$['a", 4, /a closing '/],
    ["$['\\\"']", 4, /a JSON escape/],
    ["$['\\x41']", 4, /a JSON escape/],
    ["$['\\u12']", 5, /4 hexadecimal digits/],
    ["$['\\uD83D']", 9, /both halves/],
    ["$['\\uDE00']", 9, /both halves/],
    ["$['\\uD83D\\u0041']", 15, /both halves/],
    ["$['\ud83d']", 3, /lone surrogate/],
    ["$[?@.price < 10]", 2, /no filter/],
    ["$[?(1)]", 2, /no filter/],
    ["$..[?@]", 4, /no filter/],
    ["$[(@.length-1)]", 2, /a quoted name, an index/],
    ["$.orders.length()", 15, /expected \. or \[/],
    [`$${".a".repeat(65)}`, 129, /at most 64 steps/],
    [`$[${"0,".repeat(64)}0]`, 130, /at most 64 choices/],
    [`$.${"a".repeat(2_000)}`, 2_000, /at most 2000 characters/],
  ])("%o", (path, position, message) => {
    expect(() => parseJsonPath(path)).toThrow(JsonPathError);
    expect(() => parseJsonPath(path)).toThrow(
      expect.objectContaining({ position, message: expect.stringMatching(message) }),
    );
  });

  it("whatever is written, and quickly", () => {
    const words = fc.constantFrom(
      "$",
      ".",
      "..",
      "[",
      "]",
      "*",
      "'",
      '"',
      "\\",
      "u",
      ":",
      ",",
      "-",
      "0",
      "12",
      "a",
      " ",
      "?",
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), (parts) => {
        try {
          select(`$${parts.join("")}`, SHOP);
        } catch (error) {
          expect(error).toBeInstanceOf(JsonPathError);
        }
      }),
    );
  });

  it("and every key can be named", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), fc.integer(), (key, value) => {
        const path = `$[${JSON.stringify(key)}]`;
        expect(select(path, { [key]: value, [`${key}x`]: null }).values).toEqual([value]);
      }),
    );
  });
});

describe("a selection", () => {
  const wide: JsonValue = Array.from({ length: 200_000 }, (_, index) => index);

  it.each<[string, JsonValue, SelectionLimits, number]>([
    ["ends at most values", wide, {}, 10_000],
    ["takes exactly as many as it may", [1, 2, 3], { maxValues: 2 }, 2],
    ["ends where its JSON is too long", ["xx", "xx", "xx"], { maxCharacters: 8 }, 2],
    ["holds one value, however large", ["x".repeat(100), 1], { maxCharacters: 8 }, 1],
  ])("%s, and says that it is not complete", (_name, value, limits, count) => {
    const { values, isComplete } = select("$[*]", value, limits);
    expect([values.length, isComplete]).toEqual([count, false]);
  });

  it("is complete with exactly as much as it may hold", () => {
    expect(select("$[*]", [1, 2], { maxValues: 2, maxCharacters: 2 })).toEqual({ values: [1, 2], isComplete: true });
  });

  it.each([
    "$..*..*..*..nothing",
    "$..[0,0,0,0,0,0]..[0,0,0,0,0,0]..nothing",
    "$[*,*,*,*,*,*,*,*]..nothing",
    "$..nothing",
  ])("ends when %s has looked at too much", (path) => {
    const deep = Array.from({ length: 500 }).reduce<JsonValue>((inner) => [inner, 1], []);
    const before = process.threadCpuUsage();
    expect(select(path, [deep, wide])).toEqual({ values: [], isComplete: path === "$..nothing" });
    expect(process.threadCpuUsage(before).user).toBeLessThan(3_000_000);
  });

  it("goes as deep as a document does", () => {
    const deep = Array.from({ length: 50_000 }).reduce<JsonValue>((inner) => [inner], "bottom");
    expect(select("$..nothing", deep)).toEqual({ values: [], isComplete: true });
  });
});
