import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCutJson } from "../../../src/tools/http/network-response.ts";

describe("JSON whose end was cut off", () => {
  it.each<[string, string, unknown]>([
    ["in an element", '{"n":3,"items":[{"id":1},{"id":2},{"i', { n: 3, items: [{ id: 1 }, { id: 2 }] }],
    ["after an element", '[{"id":1},{"id":2}', [{ id: 1 }, { id: 2 }]],
    ["after a comma", '["a","b",', ["a", "b"]],
    ["in a number, which may have gone on", "[10,20,3", [10, 20]],
    ["in an escape", '["aaaa","b\\', ["aaaa"]],
    ["with marks inside of texts", '["a,]}[","\\"",{"b', ["a,]}[", '"']],
    ["in a record of a list", '{"all":[[1,2,3,4,5,6,7],{"id":1,"li":[1],"na', { all: [[1, 2, 3, 4, 5, 6, 7]] }],
    ["in an object of an object", '{"a":{"b":{"c":[1,2],"d":true,"e', { a: { b: { c: [1, 2], d: true } } }],
  ])("%s is read as far as it is whole", (_where, text, value) => {
    expect(readCutJson(text)?.value).toEqual(value);
  });

  it.each<[string, string]>([
    ["one long text", `"${"x".repeat(50)}`],
    ["an object of which one member is nearly all", `{"a":1,"b":"${"x".repeat(50)}`],
    ["a text", "Once upon a time, there was"],
    ["JSON that is wrong", '[{"a":1],[2,3'],
    ["JSON with a member that is forbidden", '{"__proto__":{"a":1},"b":[1,2,3],"c'],
    ["more levels than are read", "[".repeat(5_000)],
  ])("is none in %s", (_what, text) => {
    expect(readCutJson(text)).toBeUndefined();
  });

  it("is a part of what was cut, wherever that was", () => {
    const isPart = (part: unknown, whole: unknown): boolean => {
      if (typeof part !== "object" || part === null) return Object.is(part, whole);
      if (typeof whole !== "object" || whole === null) return false;
      return Object.entries(part).every(([key, value]) => isPart(value, Reflect.get(whole, key)));
    };
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.double({ min: 0, max: 1, noNaN: true }), (text, share) => {
        const cut = readCutJson(text.slice(0, Math.floor(text.length * share)));
        expect(cut === undefined || isPart(cut.value, JSON.parse(text))).toBe(true);
      }),
    );
  });
});
