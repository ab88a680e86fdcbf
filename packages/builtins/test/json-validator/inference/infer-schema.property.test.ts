import type { Draft } from "@yagate/lib/json-schema/reading/drafts";
import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import DraftFour from "ajv-draft-04";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inferSchema } from "../../../src/json-validator/inference/infer-schema.ts";

/** Independent of ours: Ajv with ajv-formats, all formats asserted. */
const VALIDATORS = {
  "04": addFormats.default(new DraftFour.default({ strict: false, ownProperties: true })),
  "07": addFormats.default(new Ajv({ strict: false, ownProperties: true })),
  "2019-09": addFormats.default(new Ajv2019({ strict: false, ownProperties: true })),
  "2020-12": addFormats.default(new Ajv2020({ strict: false, ownProperties: true })),
} as const;

const text = fc.oneof(
  fc.string(),
  fc.constantFrom("a", "b", "c"),
  fc.uuid(),
  fc.emailAddress(),
  fc.webUrl(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  fc.ipV4(),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    text,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("id", "name", "tags", "__proto__", "toString"), tie("value"), { maxKeys: 4 }),
  ),
}));

describe("inferSchema", () => {
  it.each(Object.entries(VALIDATORS))("makes a schema of draft %s that each sample fits", (draft, ajv) => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), fc.boolean(), (given, detectEnums) => {
        // As samples come: read from JSON, so that -0 is 0 and objects are plain.
        const samples: readonly unknown[] = JSON.parse(JSON.stringify(given));
        const { schema } = inferSchema(samples, { draft: toDraft(draft), detectEnums });
        const { $schema: _draft, ...plain } = schema;
        const validate = ajv.compile(plain);
        for (const sample of samples) expect([sample, validate(sample), validate.errors]).toEqual([sample, true, null]);
      }),
      { numRuns: 150 },
    );
  });

  const options = { draft: "2020-12", detectEnums: false } as const;

  it.each<[string, readonly unknown[], unknown]>([
    ["integers", [1, 2], { type: "integer" }],
    ["numbers among integers", [1, 2.5], { type: "number" }],
    ["what may be null", ["a", null], { type: ["string", "null"] }],
    ["nothing but null", [null], { type: "null" }],
    ["empty arrays", [[]], { type: "array" }],
    [
      "arrays with items of several types",
      [[1, "a"], [true]],
      { type: "array", items: { type: ["string", "integer", "boolean"] } },
    ],
    ["empty objects", [{}], { type: "object" }],
    [
      "properties that are in all, and in some",
      [{ a: 1, b: "x" }, { a: 2 }],
      { type: "object", properties: { a: { type: "integer" }, b: { type: "string" } }, required: ["a"] },
    ],
    [
      "objects in arrays together",
      [[{ a: 1 }, { a: 2, b: 1 }]],
      {
        type: "array",
        items: { type: "object", properties: { a: { type: "integer" }, b: { type: "integer" } }, required: ["a"] },
      },
    ],
    ["times", ["2026-11-21T09:30:00Z", "2026-11-21T09:30:00.5+01:00"], { type: "string", format: "date-time" }],
    ["dates", ["2026-11-21", "2024-02-29"], { type: "string", format: "date" }],
    ["dates and other texts", ["2026-11-21", "soon"], { type: "string" }],
    ["days that do not exist", ["2026-02-30"], { type: "string" }],
    ["UUIDs", ["01890f5e-7a3c-7cc0-98d2-0f0f2c1a9b3e"], { type: "string", format: "uuid" }],
    ["e-mail addresses", ["a.b@example.com"], { type: "string", format: "email" }],
    ["URIs", ["https://example.com/a?b=1", "http://x.example"], { type: "string", format: "uri" }],
    ["texts with a colon", ["note: this"], { type: "string" }],
    ["dates that may be missing", ["2026-11-21", null], { type: ["string", "null"], format: "date" }],
  ])("describes %s", (_name, samples, expected) => {
    const { schema } = inferSchema(samples, options);
    expect(schema).toEqual({ $schema: "https://json-schema.org/draft/2020-12/schema", ...Object(expected) });
  });

  it("makes an enum only when asked, and only of texts that repeat", () => {
    const samples = ["red", "blue", "red"];
    expect(inferSchema(samples, options).schema).not.toHaveProperty("enum");
    expect(inferSchema(samples, { ...options, detectEnums: true }).schema["enum"]).toEqual(["red", "blue"]);
    expect(inferSchema(["red", "blue"], { ...options, detectEnums: true }).schema).not.toHaveProperty("enum");
  });

  it("makes no enum of texts that have a format", () => {
    const [first, second] = ["2026-11-21T09:30:00Z", "2026-11-21T09:31:00Z"];
    const { schema } = inferSchema([first, second, first], { ...options, detectEnums: true });
    expect(schema).toMatchObject({ type: "string", format: "date-time" });
    expect(schema).not.toHaveProperty("enum");
  });

  it("describes an object with many names as a map, and says so", () => {
    const map = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`key${index}`, index]));
    const { schema, warnings } = inferSchema([map], options);
    expect(schema).toMatchObject({ type: "object", additionalProperties: { type: "integer" } });
    expect(warnings.map(({ code }) => code)).toEqual(["map"]);
  });
});

function toDraft(text: string): Draft {
  return text === "04" || text === "07" || text === "2019-09" ? text : "2020-12";
}
