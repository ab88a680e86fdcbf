import type { JsonObject, JsonValue } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { check, composed, typed } from "./composed-world.ts";

const ARGS = "tools[0].implementation.args";

/** `severity place: message` of what is found when a tool hands on parameters of these schemas. */
function found(primitive: string, args: JsonObject, properties: JsonObject, $defs: JsonObject = {}): readonly string[] {
  const target = composed("target", "calculator", { expression: "1" }, TARGET);
  return check(composed("tool", primitive, args, typed(properties, $defs)), target)
    .filter(({ code, path }) => code !== "UNUSED_PARAMETER" && path.startsWith(ARGS))
    .map(({ severity, path, code, message }) => `${severity} ${path.slice(ARGS.length)} ${code}: ${message}`);
}

const labelled = (patternProperties: JsonObject) => ({
  type: "object",
  patternProperties,
  additionalProperties: false,
});

const TARGET = typed({
  labels: { ...labelled({ "^x-": { type: "string" } }), additionalProperties: { type: "number" } },
  point: { enum: [{ x: 1, y: 2 }] },
  size: { type: "string", enum: ["small", "large"] },
  count: { type: "integer" },
  order: {
    type: "object",
    properties: { id: { type: "string" }, lines: { type: "array", items: { type: "number" } } },
    required: ["id"],
    additionalProperties: false,
  },
});
const FIXED = { labels: {}, point: { x: 1, y: 2 }, size: "small", count: 1, order: { id: "x" } };

/** Hands one argument on to a tool of the agent. */
const handedOn = (argument: string, schema: JsonValue, $defs: JsonObject = {}) =>
  found("target", { ...FIXED, [argument]: "${given}" }, { given: schema }, $defs);

const calculated = (schema: JsonValue) => found("calculator", { expression: "${given}" }, { given: schema });

const requested = (args: JsonObject, schema: JsonValue) =>
  found("http_request", { method: "POST", url: "https://api.example.com/", ...args }, { given: schema });

describe("the type of a parameter", () => {
  it("is refused where no value fits, with the parameter, the argument, what it takes and what to do", () => {
    expect(calculated({ type: "number" })).toEqual([
      "error .expression PARAMETER_TYPE_MISMATCH: expected a string for expression of calculator; given is a number, so " +
        "every call would be rejected: declare given as a string, or make it part of a longer text",
    ]);
    expect(handedOn("count", { type: ["string", "boolean"] })).toEqual([
      "error .count PARAMETER_TYPE_MISMATCH: expected an integer for count of target; given is a string or a boolean, so " +
        "every call would be rejected: declare given as an integer",
    ]);
  });

  it("gets a warning where some values don't fit", () => {
    expect(calculated({ type: ["string", "null"] })).toEqual([
      "warning .expression PARAMETER_MAY_NOT_FIT: given may be null, but expression of calculator takes a string: calls " +
        "with other values will be rejected; declare given as a string",
    ]);
    expect(handedOn("size", { type: "string" })).toEqual([
      'warning .size PARAMETER_MAY_NOT_FIT: given may be any string, but size of target takes one of "small", "large": ' +
        'calls with other values will be rejected; declare given as one of "small", "large"',
    ]);
  });

  it.each<[string, readonly string[], string]>([
    ["listed values of which none is taken", handedOn("size", { enum: ["tiny", "huge"] }), "error .size"],
    ["listed values of which some are taken", handedOn("size", { enum: ["small", "huge"] }), "warning .size"],
    ["one value that is not taken", handedOn("size", { const: "tiny" }), "error .size"],
    ["numbers for whole ones", handedOn("count", { type: "number" }), "warning .count"],
    [
      "a reference to another type",
      handedOn("count", { $ref: "#/$defs/t" }, { t: { type: "string" } }),
      "error .count",
    ],
    ["alternatives of which none fits", handedOn("count", { anyOf: [{ type: "string" }, { type: "null" }] }), "error"],
    ["alternatives of which one fits", handedOn("count", { oneOf: [{ type: "string" }, { type: "integer" }] }), "warn"],
    [
      "rules that hold together",
      handedOn("count", { allOf: [{ type: ["string", "integer"] }, { type: "string" }] }),
      "error",
    ],
    [
      "a list for a list of others",
      found(
        "calculator",
        { expression: "1+${n}", values: "${v}" },
        { n: { type: "number" }, v: { type: "array", items: { type: "string" } } },
      ),
      "error .values",
    ],
    [
      "an object without what is needed",
      handedOn("order", { type: "object", properties: {}, additionalProperties: false }),
      "error .order",
    ],
    [
      "an object whose needed member may be missing",
      handedOn("order", { type: "object", properties: { id: { type: "string" } } }),
      "warning .order",
    ],
    [
      "an object whose needed member a pattern may name",
      handedOn("order", labelled({ "^id$": { type: "string" } })),
      "warning .order",
    ],
    [
      "an object with a member of another type",
      handedOn("order", { type: "object", properties: { id: { type: "number" } }, required: ["id"] }),
      "error .order",
    ],
    [
      "an object with a member that is not known",
      handedOn("order", { type: "object", properties: { id: { type: "string" }, x: {} }, required: ["id", "x"] }),
      "error .order",
    ],
    [
      "a list deep inside",
      handedOn("order", {
        type: "object",
        properties: { id: { type: "string" }, lines: { type: "array", items: { type: "string" } } },
        required: ["id", "lines"],
      }),
      "error .order",
    ],
    ["an object in the path", requested({ url: "https://api.example.com/${given}" }, { type: "object" }), "error .url"],
    [
      "an object in the URL's query",
      requested({ url: "https://api.example.com/?a=${given}" }, { type: "object" }),
      "error .url",
    ],
    ["a list in a header", requested({ headers: { "x-a": "${given}" } }, { type: "array" }), "error .headers.x-a"],
    [
      "a list of objects in the query",
      requested({ query: { a: "${given}" } }, { type: "array", items: { type: "object" } }),
      "error .query.a",
    ],
    [
      "an object in an item of the query",
      requested({ query: { a: ["x", "${given}"] } }, { type: "object" }),
      "error .query.a",
    ],
    [
      "an object inside a text of a body",
      requested({ body: { a: ["x ${given}"] } }, { type: "object" }),
      "warning .body.a[0]",
    ],
    [
      "an object as a form's field",
      requested(
        { headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: { a: "${given}" } },
        { type: "object" },
      ),
      "error .body.a",
    ],
  ])("is looked at in %s", (_what, findings, beginning) => {
    expect(findings).toHaveLength(1);
    expect(findings[0]?.startsWith(beginning), findings[0]).toBe(true);
  });

  it.each<[string, readonly string[]]>([
    ["that fits", calculated({ type: "string", maxLength: 5 })],
    ["that is not declared", calculated({ description: "what to calculate" })],
    [
      "that is part of a longer text",
      found("calculator", { expression: "(${given}) * 2" }, { given: { type: "number" } }),
    ],
    [
      "that is a list for a list",
      found(
        "calculator",
        { expression: "sum(values)", values: "${given}" },
        { given: { type: "array", items: { type: "integer" } } },
      ),
    ],
    [
      "that is any JSON where any is taken",
      found("json_validator", { json: "${given}" }, { given: { type: "object" } }),
    ],
    ["whose listed values are all taken", handedOn("size", { enum: ["large"] })],
    [
      "that is whole where numbers are taken",
      handedOn("order", {
        type: "object",
        properties: { id: { type: "string" }, lines: { type: "array", items: { type: "integer" } } },
        required: ["id"],
      }),
    ],
    [
      "that is a list in the query",
      requested({ query: { a: "${given}" } }, { type: "array", items: { type: "string" } }),
    ],
    ["that is any JSON in a body", requested({ body: { a: "${given}" } }, { type: ["object", "null"] })],
    [
      "with members that a pattern names",
      handedOn("labels", { type: "object", properties: { "x-a": { type: "string" } }, required: ["x-a"] }),
    ],
    ["whose only object has its members in another order", handedOn("point", { const: { y: 2, x: 1 } })],
    ["that has no values, so that it is always left out", handedOn("count", false)],
    [
      "that refers to itself",
      handedOn("count", { $ref: "#/$defs/t" }, { t: { type: "integer", not: { $ref: "#/$defs/t" } } }),
    ],
  ])("is let through if it is one %s", (_what, findings) => {
    expect(findings).toEqual([]);
  });

  it("is compared in bounded time, however its schema refers to itself", () => {
    const fork = {
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`p${n}`, { $ref: "#/$defs/t" }])),
    };
    const schema = typed({ given: { $ref: "#/$defs/t" } }, { t: fork });
    const target = composed("target", "calculator", { expression: "1" }, schema);
    expect(
      check(composed("tool", "target", { given: "${given}" }, schema), target).filter(
        ({ severity }) => severity === "error",
      ),
    ).toEqual([]);
  });
});

it.each<[string, JsonObject]>([
  ["refers to itself", { $ref: "#/properties/given" }],
  ["is one of itself", { anyOf: [{ type: "string" }, { $ref: "#/properties/given" }] }],
])("a parameter whose schema %s is compared to an end", (_what, schema) => {
  expect(calculated(schema)).toEqual([]);
});

it.each([
  [8, ["error .deep PARAMETER_TYPE_MISMATCH"]],
  [9, []],
])("values %i levels inside of a parameter", (levels, findings) => {
  const nested = (type: string) => {
    let schema: JsonObject = { type };
    for (let level = 0; level < levels; level += 1) {
      schema = { type: "object", properties: { a: schema }, required: ["a"], additionalProperties: false };
    }
    return schema;
  };
  const target = composed("target", "calculator", { expression: "1" }, typed({ deep: nested("integer") }));
  const caller = composed("tool", "target", { deep: "${given}" }, typed({ given: nested("string") }));
  expect(
    check(caller, target)
      .filter(({ path }) => path.startsWith(ARGS))
      .map(({ severity, path, code }) => `${severity} ${path.slice(ARGS.length)} ${code}`),
  ).toEqual(findings);
});

describe("the authored parts beside placeholders", () => {
  it("are allowed where a pattern may match their name", () => {
    expect(found("target", { ...FIXED, labels: { "x-a": "v ${given}" } }, { given: { type: "string" } })).toEqual([]);
  });

  it("is refused where its own type does not fit", () => {
    expect(found("calculator", { expression: "${given}", values: 5 }, { given: { type: "string" } })).toEqual([
      "error .values INVALID_ARG: expected an array for values of calculator; the value here is an integer",
    ]);
    expect(found("calculator", { expression: ["${given}"] }, { given: { type: "string" } })).toEqual([
      "error .expression INVALID_ARG: expected a string for expression of calculator; the value here is an array",
    ]);
    expect(found("calculator", { expression: "1", values: "${given}, 2" }, { given: { type: "number" } })).toEqual([
      "error .values INVALID_ARG: expected an array for values of calculator; the value here is a string",
    ]);
  });
});
