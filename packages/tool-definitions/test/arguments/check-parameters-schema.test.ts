import { describe, expect, it } from "vitest";
import { checkParametersSchema } from "../../src/arguments/check-parameters-schema.ts";

const withProperty = (schema: unknown) => ({ type: "object", properties: { field: schema } });

function nested(levels: number): unknown {
  let schema: unknown = { type: "string" };
  for (let level = 0; level < levels; level++) schema = { items: schema };
  return withProperty(schema);
}

function endless(): unknown {
  const schema: { type: string; not?: unknown } = { type: "object" };
  schema.not = schema;
  return schema;
}

describe("checkParametersSchema accepts", () => {
  it.each<[string, unknown]>([
    ["an object without properties", { type: "object" }],
    [
      "every type, enum, format, nesting and required",
      {
        type: "object",
        properties: {
          text: { type: "string", minLength: 1, maxLength: 9, pattern: "^[a-z]+$" },
          number: { type: "number", minimum: 0, exclusiveMaximum: 10, multipleOf: 0.01 },
          flag: { type: "boolean", default: false },
          list: { type: "array", items: { type: "integer" }, minItems: 1, uniqueItems: true },
          pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
          inner: { type: "object", properties: { at: { type: "string", format: "date-time" } }, required: ["at"] },
          kind: { enum: ["a", "b", null] },
        },
        required: ["text"],
        additionalProperties: false,
      },
    ],
    [
      "references, anchors and recursion through the data",
      {
        type: "object",
        $defs: {
          node: {
            $anchor: "node",
            type: "object",
            properties: { children: { type: "array", items: { $ref: "#node" } } },
          },
          "a/b~c": { type: "string" },
        },
        properties: { tree: { $ref: "#/$defs/node" }, odd: { $ref: "#/$defs/a~1b~0c" }, self: { $ref: "#" } },
      },
    ],
    [
      "draft-07's $schema and definitions",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object",
        definitions: { id: { type: "integer" } },
        properties: { id: { $ref: "#/definitions/id" } },
      },
    ],
    ["annotations that it does not know", { type: "object", "x-order": 1, properties: { a: { example: "b" } } }],
    [
      "keywords as property names and as data",
      {
        type: "object",
        properties: { pattern: { type: "string" }, $ref: { type: "string" }, format: { const: { $ref: "https://x" } } },
        required: ["pattern"],
      },
    ],
    ["nesting of 32 levels", nested(29)],
    ["a pattern with escapes that look like lookahead", withProperty({ pattern: "^\\(?=$" })],
  ])("%s", (_name, schema) => {
    expect(checkParametersSchema(schema)).toEqual([]);
  });
});

describe("checkParametersSchema refuses", () => {
  it.each<[string, unknown, string, string]>([
    ["a schema that is no object", "string", "", "NOT_AN_OBJECT_SCHEMA"],
    ["a boolean schema", true, "", "NOT_AN_OBJECT_SCHEMA"],
    ["a schema without a type", { properties: {} }, "/type", "NOT_AN_OBJECT_SCHEMA"],
    ["a type of several", { type: ["object", "null"] }, "/type", "NOT_AN_OBJECT_SCHEMA"],
    ["a function inside", { type: "object", default: () => 1 }, "/default", "NOT_JSON"],
    ["a type that does not exist", withProperty({ type: "strng" }), "/properties/field/type", "INVALID_SCHEMA"],
    ["a length that is no number", withProperty({ minLength: "1" }), "/properties/field/minLength", "INVALID_SCHEMA"],
    ["an empty enum", withProperty({ enum: [] }), "/properties/field/enum", "INVALID_SCHEMA"],
    ["a multiple of zero", withProperty({ multipleOf: 0 }), "/properties/field/multipleOf", "INVALID_SCHEMA"],
    ["more than 64 KiB", { type: "object", description: "ü".repeat(32_768) }, "", "TOO_LARGE"],
    ["33 levels", nested(30), `/properties/field${"/items".repeat(30)}`, "TOO_DEEP"],
    ["100 000 levels", nested(100_000), `/properties/field${"/items".repeat(30)}`, "TOO_DEEP"],
    ["a schema that holds itself", endless(), "/not".repeat(32), "TOO_DEEP"],
    [
      "more than 1 000 schemas",
      { type: "object", allOf: Array.from({ length: 1_000 }, () => ({})) },
      "",
      "TOO_COMPLEX",
    ],
    [
      "more than 100 patterns",
      { type: "object", patternProperties: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`^${i}`, {}])) },
      "",
      "TOO_COMPLEX",
    ],
    ["an unknown dialect", { type: "object", $schema: "https://example.com/mine" }, "/$schema", "UNSUPPORTED_DIALECT"],
    [
      "draft-04",
      { type: "object", $schema: "http://json-schema.org/draft-04/schema#" },
      "/$schema",
      "UNSUPPORTED_DIALECT",
    ],
    ["items as a list", withProperty({ items: [{}] }), "/properties/field/items", "UNSUPPORTED_KEYWORD"],
    ["required as a boolean", withProperty({ required: true }), "/properties/field/required", "UNSUPPORTED_KEYWORD"],
    [
      "exclusiveMinimum as a boolean",
      withProperty({ minimum: 0, exclusiveMinimum: true }),
      "/properties/field/exclusiveMinimum",
      "UNSUPPORTED_KEYWORD",
    ],
    [
      "additionalItems",
      withProperty({ additionalItems: false }),
      "/properties/field/additionalItems",
      "UNSUPPORTED_KEYWORD",
    ],
    ["$dynamicRef", withProperty({ $dynamicRef: "#a" }), "/properties/field/$dynamicRef", "UNSUPPORTED_KEYWORD"],
    ["an $id inside", withProperty({ $id: "https://a.example/b" }), "/properties/field/$id", "UNSUPPORTED_KEYWORD"],
    [
      "a remote reference",
      withProperty({ $ref: "https://a.example/b.json" }),
      "/properties/field/$ref",
      "REMOTE_REFERENCE",
    ],
    ["a reference to a file", withProperty({ $ref: "other.json#/a" }), "/properties/field/$ref", "REMOTE_REFERENCE"],
    ["a reference to nothing", withProperty({ $ref: "#/$defs/no" }), "/properties/field/$ref", "UNRESOLVED_REFERENCE"],
    [
      "a reference to what every object has",
      withProperty({ $ref: "#/toString" }),
      "/properties/field/$ref",
      "UNRESOLVED_REFERENCE",
    ],
    [
      "a reference to data",
      { ...withProperty({ $ref: "#/default" }), default: {} },
      "/properties/field/$ref",
      "UNRESOLVED_REFERENCE",
    ],
    ["a broken percent escape", withProperty({ $ref: "#/%zz" }), "/properties/field/$ref", "UNRESOLVED_REFERENCE"],
    [
      "a reference to itself",
      withProperty({ $ref: "#/properties/field" }),
      "/properties/field/$ref",
      "ENDLESS_REFERENCE",
    ],
    ["a combination of the whole", { type: "object", allOf: [{ $ref: "#" }] }, "/allOf/0/$ref", "ENDLESS_REFERENCE"],
    [
      "two definitions that refer to each other",
      {
        type: "object",
        $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } },
      },
      "/$defs/b/not/$ref",
      "ENDLESS_REFERENCE",
    ],
    [
      "references that double the work twenty times",
      {
        type: "object",
        $defs: Object.fromEntries(
          Array.from({ length: 20 }, (_, i) => [
            `d${i}`,
            i === 19 ? {} : { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
          ]),
        ),
      },
      "/$defs/d7",
      "TOO_COMPLEX",
    ],
    [
      "one anchor twice",
      { type: "object", $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } } },
      "/$defs/b/$anchor",
      "DUPLICATE_ANCHOR",
    ],
    ["an unclosed pattern", withProperty({ pattern: "(a" }), "/properties/field/pattern", "INVALID_PATTERN"],
    ["lookahead", withProperty({ pattern: "^(?=a)" }), "/properties/field/pattern", "INVALID_PATTERN"],
    ["lookbehind", withProperty({ pattern: "(?<=a)b" }), "/properties/field/pattern", "INVALID_PATTERN"],
    ["a back reference", withProperty({ pattern: "(a)\\1" }), "/properties/field/pattern", "INVALID_PATTERN"],
    [
      "a pattern that unfolds",
      withProperty({ pattern: "(?:a{1,100}){1,10}(?:b{1,1000}){1}c{1,1000}" }),
      "/properties/field/pattern",
      "INVALID_PATTERN",
    ],
    [
      "nested repetitions",
      withProperty({ pattern: "((a{1000}){1000}){1000}" }),
      "/properties/field/pattern",
      "INVALID_PATTERN",
    ],
    [
      "a pattern of 1 001 characters",
      withProperty({ pattern: "a".repeat(1_001) }),
      "/properties/field/pattern",
      "INVALID_PATTERN",
    ],
    [
      "syntax that only its engine has",
      withProperty({ pattern: "(?i)a" }),
      "/properties/field/pattern",
      "INVALID_PATTERN",
    ],
    [
      "a pattern as a property's name",
      { type: "object", patternProperties: { "(": {} } },
      "/patternProperties/(",
      "INVALID_PATTERN",
    ],
    ["an unknown format", withProperty({ format: "phone" }), "/properties/field/format", "UNKNOWN_FORMAT"],
    [
      "a format that every object has",
      withProperty({ format: "constructor" }),
      "/properties/field/format",
      "UNKNOWN_FORMAT",
    ],
    [
      "a property named __proto__",
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
      "/properties/__proto__",
      "FORBIDDEN_KEY",
    ],
    [
      "a property named constructor",
      { type: "object", properties: { constructor: {} } },
      "/properties/constructor",
      "FORBIDDEN_KEY",
    ],
  ])("%s", (_name, schema, path, code) => {
    const issues = checkParametersSchema(schema);
    expect(issues.map((issue) => ({ path: issue.path, code: issue.code }))).toEqual([{ path, code }]);
  });

  it("everything at once", () => {
    const issues = checkParametersSchema({
      properties: {
        a: { type: "strng" },
        b: { pattern: "(" },
        c: { format: "phone" },
        d: { $ref: "https://a.example" },
        e: { $ref: "#/nowhere" },
      },
      required: "a",
    });
    expect(issues.map(({ path }) => path).sort()).toEqual([
      "/properties/a/type",
      "/properties/b/pattern",
      "/properties/c/format",
      "/properties/d/$ref",
      "/properties/e/$ref",
      "/required",
      "/type",
    ]);
  });

  it("with at most 50 issues", () => {
    const properties = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`p${i}`, { format: "phone" }]));
    expect(checkParametersSchema({ type: "object", properties })).toHaveLength(50);
  });

  it("with the formats that there are", () => {
    const [issue] = checkParametersSchema(withProperty({ format: "phone" }));
    expect(issue?.message).toMatch(/date-time, .*email, .*uuid/);
  });
});
