import { afterAll, describe, expect, it } from "vitest";
import { createJsonValidator } from "../../src/json-validator/json-validator-tool.ts";
import { builtinContext } from "../builtin-context.ts";

// Work is counted, so that each ends the same way on every machine: the clock is for what nobody thought of.
const { tool, close } = createJsonValidator({ timeoutMs: 60_000 });
const small = createJsonValidator({ timeoutMs: 50 });
afterAll(() => Promise.all([close(), small.close()]));

const twice = (levels: number) =>
  Object.fromEntries(
    Array.from({ length: levels }, (_, index) => {
      const next = { $ref: index === levels - 1 ? "#/$defs/end" : `#/$defs/a${index + 1}` };
      return [`a${index}`, { allOf: [next, next] }];
    }),
  );
const names = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);

/** Each ends with an answer or an error that says what to do; none hurts what comes next. */
const HOSTILE: readonly (readonly [name: string, parameters: Record<string, unknown>, outcome: unknown])[] = [
  [
    "a pattern with nested repetition",
    { json: `"${"a".repeat(50_000)}!"`, schema: { pattern: "^(a+)+$" } },
    { result: { valid: false } },
  ],
  [
    "a pattern for names",
    { json: { [`${"a".repeat(50_000)}!`]: 1 }, schema: { patternProperties: { "^(a|a)*$": false } } },
    { result: { valid: true } },
  ],
  [
    "a large repetition",
    { json: '"a"', schema: { pattern: "((a{1,100}){1,100}){1,100}" } },
    { error: { message: /pattern/ } },
  ],
  [
    "a schema that refers to itself",
    { json: 1, schema: { $ref: "#" } },
    { error: { message: /refers back to itself/ } },
  ],
  [
    "two that refer to each other",
    { json: 1, schema: { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } } },
    { error: { message: /refers back to itself/ } },
  ],
  [
    "one that refers to itself dynamically",
    { json: 1, schema: { $dynamicAnchor: "a", $dynamicRef: "#a" } },
    { error: { message: /refers back to itself/ } },
  ],
  [
    "alternatives that double at each level",
    { json: 1, schema: { $ref: "#/$defs/a0", $defs: { ...twice(40), end: {} } } },
    { error: { message: /needs too much work to validate/ } },
  ],
  [
    "a choice of 10 000 values",
    { json: "[5]", schema: { items: { enum: names(7_000) } } },
    { result: { valid: false } },
  ],
  [
    "20 000 properties",
    {
      json: `{${names(20_000)
        .map((name) => `"${name}":1`)
        .join()}}`,
      schema: { maxProperties: 1, additionalProperties: { type: "string" } },
    },
    { result: { errorCount: 20_001 } },
  ],
  [
    "deep nesting",
    { json: 1, schema: `${'{"not":'.repeat(5_000)}{}${"}".repeat(5_000)}` },
    { error: { message: /at most 32 levels|characters/ } },
  ],
  [
    "half a million equal items",
    { json: `[${"1,".repeat(500_000)}1]`, schema: { uniqueItems: true } },
    { result: { valid: false } },
  ],
  [
    "half a million items against alternatives",
    {
      json: `[${"1,".repeat(500_000)}1]`,
      schema: { items: { anyOf: Array(50).fill({ type: "string", enum: ["a"] }) } },
    },
    { error: { message: /too much work/ } },
  ],
  [
    "members of the prototype",
    { json: '{"__proto__": {"polluted": true}}', schema: '{"properties": {"__proto__": {"type": "object"}}}' },
    { result: { valid: true } },
  ],
  [
    "samples with 50 000 names",
    {
      operation: "infer",
      json: `[${names(50_000)
        .map((name) => `{"${name}":{"a":1}}`)
        .join()}]`,
    },
    { result: { sampleCount: 1 } },
  ],
];

describe("json_validator withstands", () => {
  it.each(HOSTILE)(
    "%s",
    async (_name, parameters, expected) => {
      const outcome = await tool.execute(parameters, builtinContext());
      const { error, ...result } = { error: undefined, ...outcome };
      if (error === undefined) expect(result).toMatchObject(Object(expected));
      else expect({ error: { message: error.message } }).toMatchObject(withPattern(expected));
      expect(await tool.execute({ json: "[1]" }, builtinContext())).toMatchObject({ result: { valid: true } });
    },
    60_000,
  );

  it("a check that takes too long, which ends with its thread while this one goes on", async () => {
    let turns = 0;
    const beat = setInterval(() => (turns += 1), 5);
    const slow = `[${"1,".repeat(500_000)}1]`;
    const outcome = await small.tool.execute({ json: slow, schema: { items: { multipleOf: 3 } } }, builtinContext());
    clearInterval(beat);
    expect(outcome).toMatchObject({
      error: { code: "INVALID_ARGUMENTS", message: "the check was stopped: it took longer than 50 ms" },
    });
    expect(turns).toBeGreaterThan(2);
  });

  it("a caller who leaves", async () => {
    const leaving = new AbortController();
    const asked = tool.execute({ json: "[1]" }, builtinContext({ signal: leaving.signal }));
    leaving.abort();
    expect(await asked).toMatchObject({ error: { code: "CANCELLED" } });
  });

  it("pollutes nothing", () => {
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });
});

/** Messages are told by patterns, which `toMatchObject` compares as values. */
function withPattern(expected: unknown): object {
  const message: unknown = Object(Object(expected).error).message;
  return { error: { message: message instanceof RegExp ? expect.stringMatching(message) : message } };
}
