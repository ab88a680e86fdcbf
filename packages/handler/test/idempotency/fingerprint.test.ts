import { describe, expect, it } from "vitest";
import { fingerprintOf } from "../../src/idempotency/fingerprint.ts";
import { parseCall } from "../support/calls.ts";
import { outcomeOf } from "../support/outcome.ts";

function fingerprint(parameters: string, name = "lookup_order") {
  return fingerprintOf(parseCall(`{"parameters":${parameters}}`, { name }));
}

describe("the fingerprint of a call", () => {
  it.each([
    ["the order of members", '{"a":1,"b":{"c":2,"d":3}}', '{"b":{"d":3,"c":2},"a":1}'],
    ["white space", '{"a":[1,2]}', '{ "a" : [ 1, 2 ] }'],
    ["how a number is written", '{"a":100}', '{"a":1e2}'],
  ])("does not depend on %s", async (_name, left, right) => {
    expect(await fingerprint(left)).toBe(await fingerprint(right));
  });

  it.each([
    ["a value", '{"a":1}', '{"a":2}'],
    ["a type", '{"a":1}', '{"a":"1"}'],
    ["the order of a list", '{"a":[1,2]}', '{"a":[2,1]}'],
    ["a member named __proto__", '{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
    ["half a surrogate pair", '{"a":"\\ud800"}', '{"a":"\\ud801"}'],
    ["the end of a long text", `{"a":"${"x".repeat(5_000)}1"}`, `{"a":"${"x".repeat(5_000)}2"}`],
  ])("depends on %s", async (_name, left, right) => {
    expect(await fingerprint(left)).not.toBe(await fingerprint(right));
  });

  it("depends on the tool's name", async () => {
    expect(await fingerprint("{}")).not.toBe(await fingerprint("{}", "other"));
  });

  it("stays short for long parameters", async () => {
    expect((await fingerprint(`{"a":"${"x".repeat(100_000)}"}`)).length).toBeLessThanOrEqual(1_024);
  });

  it("is the text itself up to 1,024 characters, and its SHA-256 past that", async () => {
    const parametersOf = (length: number) => {
      const around = '["lookup_order",{"a":""}]'.length;
      return `{"a":"${"x".repeat(length - around)}"}`;
    };
    expect(await fingerprint(parametersOf(1_024))).toHaveLength(1_024);
    expect(await fingerprint(parametersOf(1_025))).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it("is refused, and ends nothing, for parameters that are nested too deeply", async () => {
    const depth = 200_000;
    const deep = `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect(await outcomeOf(() => fingerprint(deep))).toBe("PAYLOAD_INVALID");
  });
});
