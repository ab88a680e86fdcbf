import { describe, expect, it } from "vitest";
import { createArgumentValidator } from "../../src/arguments/argument-validator.ts";
import { checkParametersSchema } from "../../src/arguments/check-parameters-schema.ts";

const ORDER = {
  type: "object",
  properties: {
    orderId: { type: "string", pattern: "^ORD-[0-9]+$" },
    quantity: { type: "integer", minimum: 1 },
    price: { type: "number", multipleOf: 0.01 },
    kind: { enum: ["gift", "normal"] },
    email: { type: "string", format: "email" },
    note: { anyOf: [{ type: "string" }, { type: "null" }] },
    lines: {
      type: "array",
      items: {
        type: "object",
        properties: { sku: { type: "string" } },
        required: ["sku"],
        additionalProperties: false,
      },
    },
  },
  required: ["orderId"],
  additionalProperties: false,
};

/** Checks a value against a schema that could be saved. */
function check(schema: unknown, value: unknown) {
  expect(checkParametersSchema(schema)).toEqual([]);
  return createArgumentValidator().validate("hash", schema, value);
}

function field(schema: unknown, value: unknown) {
  return check({ type: "object", properties: { field: schema } }, { field: value });
}

function paths(result: ReturnType<typeof check>): readonly (readonly [string, string])[] {
  return result.valid ? [] : result.errors.map(({ path, code }) => [path, code] as const);
}

function nestedList(levels: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}

describe("createArgumentValidator accepts", () => {
  it.each<[string, unknown, unknown]>([
    [
      "a full order",
      ORDER,
      {
        orderId: "ORD-1",
        quantity: 2,
        price: 19.99,
        kind: "gift",
        email: "a@b.example",
        note: null,
        lines: [{ sku: "x" }],
      },
    ],
    ["no arguments where none are required", { type: "object" }, {}],
    ["unknown fields unless the schema forbids them", { type: "object" }, { anything: [1, "a", null] }],
    [
      "a character outside the basic plane as one",
      { type: "object", properties: { a: { pattern: "^.$", maxLength: 1 } } },
      { a: "😀" },
    ],
    [
      "null where OpenAPI's nullable allows it",
      { type: "object", properties: { a: { type: "string", nullable: true } } },
      { a: null },
    ],
    [
      "a tree by a reference to the whole",
      { type: "object", properties: { children: { type: "array", items: { $ref: "#" } } } },
      { children: [{ children: [{}] }] },
    ],
  ])("%s", (_name, schema, value) => {
    expect(check(schema, value)).toEqual({ valid: true });
  });
});

describe("createArgumentValidator names", () => {
  it.each<[string, unknown, unknown, readonly (readonly [string, string])[]]>([
    ["a missing field", ORDER, {}, [["/orderId", "REQUIRED"]]],
    ["an unknown field", ORDER, { orderId: "ORD-1", order: 1 }, [["/order", "ADDITIONAL_PROPERTIES"]]],
    ["a wrong type, which it does not coerce", ORDER, { orderId: "ORD-1", quantity: "2" }, [["/quantity", "TYPE"]]],
    ["a value outside an enum", ORDER, { orderId: "ORD-1", kind: "other" }, [["/kind", "ENUM"]]],
    ["a broken pattern", ORDER, { orderId: "1" }, [["/orderId", "PATTERN"]]],
    ["a broken format", ORDER, { orderId: "ORD-1", email: "nobody" }, [["/email", "FORMAT"]]],
    ["a choice as one thing", ORDER, { orderId: "ORD-1", note: 7 }, [["/note", "ANY_OF"]]],
    [
      "every wrong field, nested ones too",
      ORDER,
      { quantity: 0, price: 0.005, lines: [{}, { sku: 1 }, { sku: "a", colour: "red" }] },
      [
        ["/orderId", "REQUIRED"],
        ["/quantity", "MINIMUM"],
        ["/price", "MULTIPLE_OF"],
        ["/lines/0/sku", "REQUIRED"],
        ["/lines/1/sku", "TYPE"],
        ["/lines/2/colour", "ADDITIONAL_PROPERTIES"],
      ],
    ],
    ["arguments that are a list", ORDER, [], [["", "TYPE"]]],
    ["arguments that are null", ORDER, null, [["", "TYPE"]]],
    ["an inherited name as missing", { type: "object", required: ["toString"] }, {}, [["/toString", "REQUIRED"]]],
    ["a value that is not JSON", { type: "object" }, { a: Number.NaN }, [["/a", "NOT_JSON"]]],
    ["64 levels at most", { type: "object" }, { a: nestedList(64) }, [[`/a${"/0".repeat(63)}`, "TOO_DEEP"]]],
    ["100 000 levels", { type: "object" }, { a: nestedList(100_000) }, [[`/a${"/0".repeat(63)}`, "TOO_DEEP"]]],
    ["more than 1 MiB", { type: "object" }, { a: "x".repeat(1_048_577) }, [["", "TOO_LARGE"]]],
    ["more than 1 MiB of small values", { type: "object" }, { a: new Array(600_000).fill(1) }, [["", "TOO_LARGE"]]],
    [
      "an own __proto__",
      { type: "object" },
      JSON.parse('{"a":[{"__proto__":{"x":1}}]}'),
      [["/a/0/__proto__", "FORBIDDEN_KEY"]],
    ],
    ["an own constructor", { type: "object" }, JSON.parse('{"constructor":1}'), [["/constructor", "FORBIDDEN_KEY"]]],
    ["an own prototype", { type: "object" }, { a: { prototype: 1 } }, [["/a/prototype", "FORBIDDEN_KEY"]]],
  ])("%s", (_name, schema, value, expected) => {
    expect([...paths(check(schema, value))].sort()).toEqual([...expected].sort());
  });
});

describe("the message for the model", () => {
  it.each<[string, unknown, unknown, string]>([
    ["a missing field", ORDER, {}, "the arguments do not fit the tool's parameters: /orderId is required"],
    ["a type", { type: "integer" }, "7", "/field must be an integer, not a string"],
    ["several types", { type: ["string", "null"] }, 7, "/field must be a string or null, not a number"],
    [
      "alternatives of types",
      { anyOf: [{ type: "array" }, { type: "null" }] },
      {},
      "/field must be an array or null, not an object",
    ],
    ["an enum's values", { enum: ["a", 1, null] }, "b", '/field must be one of "a", 1, null'],
    [
      "an enum's value that was misspelt",
      { enum: ["celsius"] },
      "celcius",
      'must be one of "celsius": did you mean celsius?',
    ],
    ["a whole number", { type: "integer" }, 1.5, "/field must be an integer, not a number with a fraction"],
    ["a constant", { const: "a" }, "b", '/field must be "a"'],
    ["a format's example", { format: "date" }, "tomorrow", "/field must be a valid date, such as 2026-11-21"],
    ["a bound", { minimum: 3 }, 2, "/field must be at least 3"],
    ["a length", { minLength: 1 }, "", "/field must have at least 1 character"],
    [
      "known properties",
      { properties: { a: {}, b: {} }, additionalProperties: false },
      { c: 1 },
      '/field/c is not a known property (known: "a", "b")',
    ],
    [
      "a field that another one asks for",
      { dependentRequired: { a: ["b"] } },
      { a: 1 },
      "/field/b is required when a is given",
    ],
    ["a schema that allows nothing", false, 1, "/field is not allowed here"],
    [
      "the alternative that was meant",
      {
        oneOf: [{ properties: { a: { const: 1 } }, required: ["a"] }, { $ref: "#/properties/field/$defs/named" }],
        $defs: { named: { type: "string" } },
      },
      { a: 2 },
      "the tool's parameters: /field/a must be 1",
    ],
    [
      "what each alternative expected, where none was surely meant",
      { anyOf: [{ minimum: 3 }, { multipleOf: 0.5 }, { type: "string" }] },
      1.2,
      "/field must match at least one of 3 alternatives, but matches none: must be at least 3 | must be a multiple of 0.5 | must be a string, not a number",
    ],
    [
      "alternatives that all fit",
      { oneOf: [{}, {}] },
      1,
      "/field must match exactly one of its alternatives, but matches several: 1, 2",
    ],
    [
      "the branch of a condition",
      { if: { type: "string" }, else: { type: "null" } },
      7,
      "/field must be null, not a number",
    ],
    [
      "too few fitting items",
      { contains: { type: "string" } },
      [1],
      "/field must have at least 1 item that matches contains, not 0: /0 must be a string, not a number",
    ],
    ["repeated items", { uniqueItems: true }, [1, 2, 1], "/field must not repeat items: items 0 and 2 are equal"],
  ])("says %s", (_name, schema, value, expected) => {
    const result = schema === ORDER ? check(schema, value) : field(schema, value);
    expect(result.valid ? "" : result.message).toContain(expected);
  });

  it("stays under 2 000 characters and counts the rest", () => {
    const result = check(
      { type: "object", additionalProperties: { type: "integer" } },
      Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`field${i}`, "x"])),
    );
    if (result.valid) throw new Error("expected a violation");
    expect(result.message.length).toBeLessThanOrEqual(2_000);
    const told = result.message.split("; ").length - 1;
    expect(result.message.endsWith(`; and ${500 - told} more`)).toBe(true);
    expect(result.errors).toHaveLength(50);
  });

  it("echoes no value, and names only in part", () => {
    const secret = "s3cret-value";
    const longName = "n".repeat(5_000);
    const result = check(ORDER, { orderId: secret, quantity: secret, kind: secret, [longName]: secret });
    if (result.valid) throw new Error("expected a violation");
    expect(JSON.stringify(result)).not.toContain(secret);
    expect(JSON.stringify(result)).not.toContain("n".repeat(400));
  });
});

describe("bounded work", () => {
  const ofText = (schema: object) => ({ type: "object", properties: { a: { type: "string", ...schema } } });
  const branch = (name: string) => ({ type: "object", properties: { a: { $ref: "#/$defs/n" } }, required: [name] });
  const doubling = {
    type: "object",
    $defs: { n: { anyOf: [branch("y"), branch("z")] } },
    properties: { a: { $ref: "#/$defs/n" } },
  };
  const objects = (count: number) => Array.from({ length: count }, (_, i) => ({ a: 1, b: [2, 3], c: { d: i } }));
  function deep(levels: number): unknown {
    let value: unknown = {};
    for (let level = 1; level < levels; level++) value = { a: value };
    return value;
  }

  it.each<[string, unknown, unknown, boolean | "TOO_COMPLEX"]>([
    ["1 MB against ^(a+)+$", ofText({ pattern: "^(a+)+$" }), { a: `${"a".repeat(1_000_000)}!` }, false],
    ["28 characters against ^(a+)+$", ofText({ pattern: "^(a+)+$" }), { a: `${"a".repeat(28)}!` }, false],
    ["1 MB against a format", ofText({ format: "uri" }), { a: `https://a.example/${"a".repeat(1_000_000)}` }, true],
    ["1 MB against the format url", ofText({ format: "url" }), { a: `${"http://a@".repeat(110_000)} ` }, false],
    ["1 MB of text", ofText({ maxLength: 2_000_000 }), { a: "x".repeat(1_000_000) }, true],
    [
      "1 MB of numbers",
      { type: "object", properties: { a: { items: { type: "integer" } } } },
      { a: new Array(340_000).fill(1) },
      true,
    ],
    [
      "100 000 distinct numbers",
      { type: "object", properties: { a: { items: { type: "integer" }, uniqueItems: true } } },
      { a: Array.from({ length: 100_000 }, (_, i) => i) },
      true,
    ],
    ["300 distinct objects", { type: "object", properties: { a: { uniqueItems: true } } }, { a: objects(300) }, true],
    [
      "20 000 distinct objects",
      { type: "object", properties: { a: { uniqueItems: true } } },
      { a: objects(20_000) },
      true,
    ],
    ["alternatives that double at each of 10 levels", doubling, deep(10), false],
    ["alternatives that double at each of 60 levels", doubling, deep(60), "TOO_COMPLEX"],
    [
      "a heavy pattern on a long text",
      ofText({ pattern: "(a?){400}a{400}" }),
      { a: "a".repeat(500_000) },
      "TOO_COMPLEX",
    ],
    [
      "300 formats on 1 MB",
      { type: "object", properties: { a: { allOf: Array.from({ length: 300 }, () => ({ format: "email" })) } } },
      { a: `${"a".repeat(1_000_000)}@b.example` },
      "TOO_COMPLEX",
    ],
    [
      "340 000 wrong items",
      { type: "object", properties: { a: { items: { type: "string" } } } },
      { a: new Array(340_000).fill(1) },
      false,
    ],
  ])("decides on %s", (_name, schema, value, expected) => {
    const before = process.threadCpuUsage();
    const result = check(schema, value);
    // About 0.3 s at most on the reference machine; unbounded, each of these takes from seconds to centuries.
    expect(process.threadCpuUsage(before).user).toBeLessThan(5_000_000);
    if (expected === "TOO_COMPLEX") expect(paths(result)).toEqual([["", "TOO_COMPLEX"]]);
    else expect(result.valid).toBe(expected);
  });
});

describe("the cache", () => {
  const schemaFor = (name: string) => ({ type: "object", required: [name] });

  function counting(maxEntries?: number) {
    const compiled: string[] = [];
    const onCompile = (hash: string) => compiled.push(hash);
    const validator = createArgumentValidator(maxEntries === undefined ? { onCompile } : { maxEntries, onCompile });
    return { compiled, check: (name: string) => validator.validate(name, schemaFor(name), {}) };
  }

  it("compiles a schema once", () => {
    const { compiled, check } = counting();
    for (let round = 0; round < 3; round++) for (const name of ["a", "b"]) check(name);
    expect(compiled).toEqual(["a", "b"]);
  });

  it("forgets what was used longest ago", () => {
    const { compiled, check } = counting(2);
    for (const name of ["a", "b", "a", "c", "a", "b"]) check(name);
    expect(compiled).toEqual(["a", "b", "c", "b"]);
  });

  it("keeps fewer schemas when they are large", () => {
    const compiled: string[] = [];
    const validator = createArgumentValidator({ onCompile: (hash) => compiled.push(hash) });
    const large = { type: "object", anyOf: Array.from({ length: 990 }, () => ({ type: "object" })) };
    for (let round = 0; round < 12; round++) validator.validate(`large ${round % 12}`, large, {});
    validator.validate("large 11", large, {});
    expect(compiled).toHaveLength(12);
    validator.validate("large 0", large, {});
    expect(compiled.at(-1)).toBe("large 0");
  });

  it("does not confuse two schemas, nor two patterns", () => {
    const validator = createArgumentValidator();
    const pattern = (source: string) => ({
      type: "object",
      properties: { a: { pattern: source }, b: { pattern: "^x" } },
    });
    expect(validator.validate("1", pattern("^a"), { a: "a", b: "x" }).valid).toBe(true);
    expect(validator.validate("2", pattern("^b"), { a: "a", b: "x" }).valid).toBe(false);
    expect(validator.validate("2", pattern("^b"), { a: "b", b: "b" }).valid).toBe(false);
    expect(validator.validate("1", pattern("^a"), { a: "b" }).valid).toBe(false);
  });

  it("keeps schemas with the same $id and anchors apart", () => {
    const validator = createArgumentValidator();
    const schema = (type: string) => ({
      $id: "https://a.example/schema",
      type: "object",
      $defs: { v: { $anchor: "v", type } },
      properties: { a: { $ref: "#v" } },
    });
    expect(validator.validate("1", schema("string"), { a: "x" }).valid).toBe(true);
    expect(validator.validate("2", schema("integer"), { a: "x" }).valid).toBe(false);
  });
});

describe("what a schema can't do", () => {
  it("change the value: no coercion, no defaults, nothing removed", () => {
    const schema = {
      type: "object",
      properties: { a: { type: "integer", default: 1 }, b: { type: "string" } },
      additionalProperties: false,
    };
    const value = Object.freeze({ b: "x" });
    expect(check(schema, value)).toEqual({ valid: true });
    expect(value).toEqual({ b: "x" });
  });

  it("answer with a promise, or reach another document", () => {
    const schema = {
      $async: true,
      $id: "https://a.example/x",
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      "x-more": { $id: "#", $ref: "https://b.example" },
      required: ["a"],
    };
    expect(check(schema, { a: 1 })).toEqual({ valid: true });
    expect(check(schema, {}).valid).toBe(false);
  });

  it("use what it did not declare", () => {
    const schema = {
      type: "object",
      default: { $anchor: "a" },
      properties: { a: { const: { $id: "x", $anchor: "a" } }, b: { $ref: "#a" } },
      $defs: { a: { $anchor: "a", type: "null" } },
    };
    expect(check(schema, { b: null })).toEqual({ valid: true });
    expect(check(schema, { b: 1 }).valid).toBe(false);
  });
});

it("reports a schema that was never checked as a defect", () => {
  const validator = createArgumentValidator();
  expect(() => validator.validate("1", { type: "object", $ref: "#/nowhere" }, {})).toThrow(
    expect.objectContaining({ code: "INTERNAL" }),
  );
  expect(() => validator.validate("2", "string", {})).toThrow(expect.objectContaining({ code: "INTERNAL" }));
});
