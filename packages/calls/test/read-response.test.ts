import { describe, expect, it } from "vitest";
import { decodeUtf8, headerOf, readResponseJson } from "../src/read-response.ts";

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("the JSON of a response", () => {
  it.each<[string, string | undefined, string, boolean]>([
    ["bytes that are not UTF-8", undefined, "the body is not UTF-8", false],
    ["white space only", " \n", "the body is empty", false],
    ["an incomplete value", '{"a":', "the body is not JSON", false],
    ["a __proto__ member", '{"__proto__":{}}', "the body contains a __proto__ or constructor member", false],
    ["a number out of range", "[1e999]", "a number is out of range", true],
    ["257 levels", nested(257), "the body is nested more than 256 levels deep", true],
  ])("refuses %s", (_name, text, problem, isJson) => {
    expect(readResponseJson(text)).toEqual({ isReadable: false, problem, isJson });
  });

  it.each(["null", '{"a":[1,"é"]}', nested(256)])("reads %s", (text) => {
    expect(readResponseJson(text)).toEqual({ isReadable: true, value: JSON.parse(text) });
  });
});

it("UTF-8 is decoded strictly, without its byte order mark", () => {
  expect(decodeUtf8(new Uint8Array([0xef, 0xbb, 0xbf, 0xc3, 0xa9]))).toBe("é");
  expect(decodeUtf8(new Uint8Array([0xc3]))).toBeUndefined();
});

it("the values of a repeated header are one list", () => {
  expect(headerOf({ vary: ["Accept", "Origin"], etag: '"1"' }, "vary")).toBe("Accept, Origin");
  expect(headerOf({ vary: ["Accept", "Origin"], etag: '"1"' }, "etag")).toBe('"1"');
  expect(headerOf({}, "etag")).toBeUndefined();
});
