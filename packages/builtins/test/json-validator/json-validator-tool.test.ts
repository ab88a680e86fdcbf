import { afterAll, describe, expect, it } from "vitest";
import { createJsonValidator } from "../../src/json-validator/json-validator-tool.ts";
import { builtinContext } from "../builtin-context.ts";

const { tool, close } = createJsonValidator();
afterAll(close);

type Parameters = Readonly<Record<string, unknown>>;

async function resultOf(parameters: Parameters): Promise<unknown> {
  const outcome = await tool.execute(parameters, builtinContext());
  if ("error" in outcome) throw new Error(outcome.error.message);
  return outcome.result;
}

describe("json_validator", () => {
  it.each<[string, Parameters, unknown]>([
    ["a text that is JSON", { json: '{"a": [1]}' }, { valid: true, isJson: true, type: "object", warnings: [] }],
    ["a value that is JSON already", { json: [1, 2] }, { valid: true, isJson: true, type: "array", warnings: [] }],
    ["a JSON string, with its quotes", { json: '"a"' }, { valid: true, type: "string" }],
    [
      "a text that is none",
      { json: '{"a": 1,}' },
      { valid: false, isJson: false, syntaxError: { line: 1, column: 9 } },
    ],
    ["null", { json: null }, { valid: true, type: "null" }],
    [
      "a value that fits",
      { json: "5", schema: { minimum: 5 } },
      { valid: true, draft: "2020-12", errors: [], errorCount: 0 },
    ],
    ["a schema that is a text", { json: 5, schema: '{"minimum": 6}' }, { valid: false, errorCount: 1 }],
    ["a schema that is false", { json: 5, schema: false }, { valid: false, errors: [{ keyword: "false", path: "" }] }],
    [
      "every error with its places",
      {
        json: { user: { age: "17", tags: ["a", 1] }, extra: 1 },
        schema: {
          type: "object",
          properties: {
            user: {
              properties: { age: { type: "integer" }, tags: { items: { type: "string" } } },
              required: ["email"],
            },
          },
          additionalProperties: false,
        },
      },
      {
        valid: false,
        errorCount: 4,
        errors: [
          {
            path: "/user/age",
            schemaPath: "#/properties/user/properties/age/type",
            keyword: "type",
            message: "must be an integer, not a string",
          },
          { path: "/user/tags/1", keyword: "type", message: "must be a string, not a number" },
          { path: "/user", keyword: "required", message: 'must have the property "email"' },
          { path: "/extra", keyword: "additionalProperties", message: 'is not a known property (known: "user")' },
        ],
        message: expect.stringMatching(/^\/user\/age must be an integer, not a string; .*; \/extra is not a known/),
      },
    ],
    [
      "the alternative that was meant",
      {
        json: { kind: "circle", radius: "1" },
        schema: {
          oneOf: [
            { properties: { kind: { const: "square" }, side: { type: "number" } }, required: ["kind", "side"] },
            { properties: { kind: { const: "circle" }, radius: { type: "number" } }, required: ["kind", "radius"] },
          ],
        },
      },
      { errors: [{ path: "/radius", schemaPath: "#/oneOf/1/properties/radius/type" }], errorCount: 1 },
    ],
    [
      "alternatives of types in one sentence",
      { json: 1, schema: { anyOf: [{ type: "string" }, { type: "array" }, { type: "null" }] } },
      { errors: [{ message: "must be a string or an array or null, not a number" }] },
    ],
    [
      "formats that nobody asked for, with a warning",
      { json: { at: "soon" }, schema: { properties: { at: { format: "date" } } } },
      { valid: true, warnings: [{ code: "FORMATS_NOT_CHECKED" }] },
    ],
    [
      "formats on request",
      { json: { at: "soon" }, schema: { properties: { at: { format: "date" } } }, assertFormats: true },
      { errors: [{ path: "/at", keyword: "format", message: "must be a valid date, such as 2026-11-21" }] },
    ],
    [
      "the draft that the schema names",
      { json: 5, schema: { $schema: "http://json-schema.org/draft-04/schema#", maximum: 5, exclusiveMaximum: true } },
      { valid: false, draft: "04", errors: [{ message: "must be less than 5, not 5" }] },
    ],
    [
      "the draft of the arguments",
      { json: [1, 2], schema: { items: [{ type: "string" }] }, draft: "07" },
      { valid: false, draft: "07", errors: [{ path: "/0" }] },
    ],
    [
      "the schema's draft before that of the arguments, with a warning",
      { json: 1, schema: { $schema: "http://json-schema.org/draft-07/schema#" }, draft: "04" },
      { draft: "07", warnings: [{ code: "DRAFT_BY_SCHEMA" }] },
    ],
    [
      "references to schemas that were handed in",
      {
        json: { a: "x" },
        schema: { properties: { a: { $ref: "https://a.example/number.json#/$defs/n" } } },
        schemas: { "https://a.example/number.json": { $defs: { n: { type: "number" } } } },
      },
      { errors: [{ path: "/a", schemaPath: "https://a.example/number.json#/$defs/n/type" }] },
    ],
    [
      "so many errors as asked for, and how many more there are",
      { json: ["a", "b", "c", "d"], schema: { items: { type: "number" } }, maxErrors: 2 },
      { errors: [{ path: "/0" }, { path: "/1" }], errorCount: 4, message: expect.stringMatching(/; and 2 more$/) },
    ],
    [
      "names that every object inherits",
      {
        json: '{"__proto__": {"x": 1}, "constructor": 2}',
        schema: { properties: { ["__proto__"]: false, constructor: {} } },
      },
      { valid: false, errors: [{ path: "/__proto__" }], errorCount: 1 },
    ],
    [
      "a schema",
      { schema: { type: "object" } },
      { valid: true, draft: "2020-12", errors: [], errorCount: 0, warnings: [] },
    ],
    [
      "what is wrong with a schema",
      { schema: { properties: { a: { minimum: "1" }, b: { required: "a" } } } },
      {
        valid: false,
        errors: [
          { path: "#/properties/a/minimum", message: "must be a number, not a string" },
          { path: "#/properties/b/required", message: "must be an array, not a string" },
        ],
      },
    ],
    [
      "words in a schema that do nothing",
      { schema: { requierd: ["a"], "x-note": 1, format: "phone" } },
      {
        valid: true,
        warnings: [
          { code: "UNKNOWN_KEYWORD", path: "#/requierd", message: expect.stringContaining("did you mean required?") },
          { code: "UNKNOWN_KEYWORD", path: "#/x-note" },
          { code: "UNKNOWN_FORMAT", path: "#/format" },
        ],
      },
    ],
    [
      "a schema that refers to another document",
      { schema: { items: { $ref: "https://a.example/x.json" } } },
      { valid: false, draft: "2020-12", errors: [{ path: "#/items/$ref", code: "REMOTE_REFERENCE" }] },
    ],
    [
      "a schema that refers to nothing, with its draft",
      { schema: { $schema: "http://json-schema.org/draft-07/schema#", $ref: "#/definitions/a" } },
      { valid: false, draft: "07", errors: [{ path: "#/$ref", code: "UNRESOLVED_REFERENCE" }] },
    ],
    [
      "an identifier that is there twice, with the draft of the schema",
      { schema: { $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } } }, draft: "2019-09" },
      { valid: false, draft: "2019-09", errors: [{ code: "INVALID_IDENTIFIER" }] },
    ],
    [
      "a draft that nobody knows",
      { schema: { $schema: "https://a.example/draft" } },
      { valid: false, draft: null, errors: [{ path: "#/$schema", code: "UNKNOWN_DRAFT" }] },
    ],
    [
      "a reference at the root of an older draft, which the draft stands beside",
      {
        schema: {
          $schema: "http://json-schema.org/draft-07/schema#",
          $ref: "#/definitions/a",
          type: "object",
          definitions: { a: { $ref: "#/definitions/b", $schema: "x" }, b: {} },
        },
      },
      {
        valid: true,
        draft: "07",
        warnings: [
          { code: "BESIDE_REF", path: "#/type" },
          { code: "BESIDE_REF", path: "#/definitions/a/$schema" },
        ],
      },
    ],
    [
      "words that are no types and no formats, with those that were meant",
      { schema: { properties: { a: { type: "objekt" }, b: { type: ["strnig", "null"] } } } },
      {
        errors: [
          { path: "#/properties/a/type", message: expect.stringContaining('not "objekt": did you mean object?') },
          { path: "#/properties/b/type/0", message: expect.stringMatching(/not "strnig": did you mean string\?$/) },
        ],
      },
    ],
    [
      "a format with swapped letters",
      { schema: { format: "emial" } },
      {
        warnings: [
          {
            code: "UNKNOWN_FORMAT",
            message: expect.stringMatching(/emial, which is never checked: did you mean email\?$/),
          },
        ],
      },
    ],
    [
      "a choice that was misspelt, and guesses nothing of short ones",
      {
        json: { color: "gren", size: "s", unit: "KG" },
        schema: {
          properties: { color: { enum: ["red", "green"] }, size: { enum: ["m", "l"] }, unit: { enum: ["g", "kg"] } },
        },
      },
      {
        errors: [
          { path: "/color", message: 'must be one of "red", "green", not "gren": did you mean green?' },
          { path: "/size", message: 'must be one of "m", "l", not "s"' },
          { path: "/unit", message: 'must be one of "g", "kg", not "KG": did you mean kg?' },
        ],
      },
    ],
    [
      "a pattern that no linear-time engine can match",
      { schema: { properties: { a: { pattern: "^(?!x)" } } } },
      { valid: false, errors: [{ path: "#/properties/a/pattern", code: "UNSUPPORTED_PATTERN" }] },
    ],
    [
      "samples",
      { samples: [{ id: 1 }, { id: 2, note: null }] },
      { schema: { required: ["id"], properties: { note: { type: "null" } } }, sampleCount: 2 },
    ],
    [
      "a sample that is a text",
      { operation: "infer", json: '{"id": 1}' },
      { schema: { required: ["id"] }, sampleCount: 1 },
    ],
    ["samples that are texts, with a warning", { samples: ['{"id": 1}'] }, { warnings: [{ code: "TEXT_SAMPLE" }] }],
  ])("answers %s", async (_name, parameters, expected) => {
    expect(await resultOf(parameters)).toMatchObject(Object(expected));
  });

  const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

  it.each<[string, Parameters, RegExp]>([
    ["nothing", {}, /^expected json to check/],
    ["no samples", { operation: "infer" }, /^infer needs samples/],
    ["no schema", { operation: "check_schema", json: 1 }, /^check_schema needs schema$/],
    [
      "an unknown draft",
      { json: 1, schema: { $schema: "https://a.example/draft" } },
      /not supported.*draft-04, draft-06 .*2020-12/,
    ],
    ["a schema that is no JSON", { json: 1, schema: "{type: string}" }, /^the schema must be JSON: line 1, column 2/],
    [
      "a wrong schema",
      { json: 1, schema: { type: "text" } },
      /^the schema is not a valid draft 2020-12 schema: #\/type must/,
    ],
    [
      "a remote reference",
      { json: 1, schema: { $ref: "https://a.example/x" } },
      /^the schema can't be used: #\/\$ref refers to another document/,
    ],
    ["a file", { json: 1, schema: { $ref: "file:///etc/passwd" } }, /refers to another document/],
    [
      "a pattern with a back reference",
      { json: "aa", schema: { pattern: "(a)\\1" } },
      /#\/pattern must not use lookahead/,
    ],
    [
      "two anchors of one name",
      { json: 1, schema: { $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } } } },
      /has the same anchor/,
    ],
    [
      "a schema that is too deep",
      { json: 1, schema: `${`{"items": `.repeat(40)}{}${"}".repeat(40)}` },
      /at most 32 levels/,
    ],
    ["a schema that is too large", { json: 1, schema: { enum: [Array(70_000).fill(1)] } }, /at most 65536 characters/],
    [
      "a value that is too deep for a schema",
      { json: deep(300), schema: {} },
      /^json must have at most 256 levels of nesting/,
    ],
  ])("refuses %s", async (_name, parameters, message) => {
    expect(await tool.execute(parameters, builtinContext())).toMatchObject({
      error: { code: "INVALID_ARGUMENTS", message: expect.stringMatching(message), retryable: true },
    });
  });

  it("takes JSON of any depth where there is no schema", async () => {
    expect(await resultOf({ json: deep(10_000) })).toMatchObject({ valid: true, type: "array" });
  });

  it("bounds what it says, whatever names a stranger chose", async () => {
    const json = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${index}${"x".repeat(5_000)}`, 1]));
    const result = await resultOf({ json, schema: { additionalProperties: false }, maxErrors: 100 });
    expect(result).toMatchObject({ errorCount: 100, message: expect.stringMatching(/and \d+ more$/) });
    expect(JSON.stringify(result).length).toBeLessThan(100_000);
  });
});
