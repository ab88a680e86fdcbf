import { describe, expect, it } from "vitest";
import { parseModelArguments } from "../../src/arguments/parse-model-arguments.ts";

describe("parseModelArguments", () => {
  it.each<[string, string, unknown]>([
    ["an object", '{"a":[1,"x",null]}', { a: [1, "x", null] }],
    ["no text as no arguments", "", {}],
    ["white space as no arguments", " \n", {}],
    ["JSON that is no object, which the schema refuses", "[1]", [1]],
    ["a byte order mark", '\uFEFF{"a":1}', { a: 1 }],
    ["constructor as a name, which the validator refuses", '{"constructor":1}', JSON.parse('{"constructor":1}')],
  ])("reads %s", (_name, text, value) => {
    expect(parseModelArguments(text)).toEqual({ valid: true, value });
  });

  it.each<[string, string, string, string]>([
    ["text that is cut off", '{"a": "secret', "NOT_JSON", "the text ends too early"],
    ["nothing but an opening bracket", "{", "NOT_JSON", "the arguments must be one JSON object"],
    ["a missing comma", '{"a": 1 "b": 2}', "NOT_JSON", "invalid at character 9"],
    ["prose", "secret words", "NOT_JSON", "the arguments must be one JSON object"],
    ["single quotes", "{'a': 1}", "NOT_JSON", "invalid at character 2"],
    ["text after the object", '{"a":1} secret', "NOT_JSON", "invalid at character 9"],
    ["a __proto__", '{"a":{"__proto__":{"secret":1}}}', "NOT_JSON", "without a __proto__"],
    ["a __proto__ in escapes", '{"\\u005f_proto__":1}', "NOT_JSON", "without a __proto__"],
    [
      "a constructor with a prototype",
      '{"constructor":{"prototype":1}}',
      "NOT_JSON",
      "without a __proto__ or constructor",
    ],
    ["more than 4 MiB", `"${"x".repeat(4_194_304)}"`, "TOO_LARGE", "at most 4194304 characters"],
    ["200 000 brackets", "[".repeat(200_000), "NOT_JSON", "the text ends too early"],
  ])("refuses %s, quoting nothing of it", (_name, text, code, message) => {
    const result = parseModelArguments(text);
    if (result.valid) throw new Error("expected a refusal");
    expect(result.message).toContain(message);
    expect(result.errors.map((error) => error.code)).toEqual([code]);
    expect(JSON.stringify(result)).not.toContain("secret");
  });

  it("reads 100 000 levels, which the validator refuses", () => {
    const text = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(parseModelArguments(text).valid).toBe(true);
  });
});
