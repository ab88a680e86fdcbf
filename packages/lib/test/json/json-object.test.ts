import { expect, it } from "vitest";
import { isJsonObject, isObject } from "../../src/json/json-object.ts";
import { parseJsonOrUndefined } from "../../src/json/parse-json.ts";

it.each<[string, unknown, boolean, boolean]>([
  ["an object", {}, true, true],
  ["an object without a prototype", Object.create(null), true, true],
  ["an instance of a class", new Date(0), true, true],
  ["an array", [], true, false],
  ["null", null, false, false],
  ["nothing", undefined, false, false],
  ["a text", "{}", false, false],
  ["a function", () => {}, false, false],
])("%s", (_name, value, object, jsonObject) => {
  expect(isObject(value)).toBe(object);
  expect(isJsonObject(value)).toBe(jsonObject);
});

it.each<[string | null | undefined, unknown]>([
  ['{"a":1}', { a: 1 }],
  [" 7 ", 7],
  ["null", null],
  ["", undefined],
  ["{a}", undefined],
  ["\uFEFF1", undefined],
  [null, undefined],
  [undefined, undefined],
])("%j as JSON is %j", (text, expected) => {
  expect(parseJsonOrUndefined(text)).toEqual(expected);
});
