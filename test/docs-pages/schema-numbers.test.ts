import { builtinTools } from "@yagate/builtins/builtin-tools";
import {
  composedToolSchema,
  createAgentSchema,
  createIntegrationSchema,
  handlerToolSchema,
  limitsSchema,
  projectionSchema,
  putSecretSchema,
  restDefinitionSchema,
  restParameterSchema,
  secretNameSchema,
} from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { summarizerConfigSchema } from "../../packages/builtins/src/text-summarizer/summary-request.ts";
import { builtinContext } from "../../packages/builtins/test/builtin-context.ts";
import { gatewayConfigSchema } from "../../packages/gateway/src/config/gateway-config.ts";
import { tableRows } from "./page-tables.ts";

/** Keywords whose numbers a page may state. */
const BOUNDS = new Set([
  "default",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "maxProperties",
]);

const NUMBER = "-?\\d[\\d,]*\\d|-?\\d";
/** "1 to 20", "at most 4,000", "up to 100". */
const CLAIM = new RegExp(`(${NUMBER}) to (${NUMBER})\\b|(?:at most|up to|at least) (${NUMBER})(?![\\d.])`, "gi");

const numberOf = (text: string) => Number(text.replaceAll(",", ""));

const documentSchema = z.object({
  $ref: z.string().optional(),
  $defs: z.record(z.string(), z.unknown()).default({}),
  properties: z.record(z.string(), z.unknown()).optional(),
});

/** The properties of a schema, with what references inside it lead to. */
function propertiesOf(schema: object) {
  const { $defs, ...root } = documentSchema.parse(schema);
  const definitionOf = (reference: string) => $defs[reference.replace("#/$defs/", "")];
  const named = root.$ref === undefined ? root : documentSchema.parse(definitionOf(root.$ref));
  return { properties: named.properties ?? {}, definitionOf };
}

/** Every bound in a schema, its parts and what they refer to included. */
function boundsOf(schema: unknown, definitionOf: (reference: string) => unknown): readonly number[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (typeof value === "number") return BOUNDS.has(key) ? [value] : [];
    if (key === "$ref") return boundsOf(definitionOf(String(value)), () => undefined);
    // One character and up to 63 more.
    if (key === "pattern")
      return Array.from(String(value).matchAll(/\{0,(\d+)\}/g), ([, more]) => [1, Number(more) + 1]).flat();
    return boundsOf(value, definitionOf);
  });
}

/** The bounds that a row states. */
function claimsOf(meaning: string): readonly number[] {
  return Array.from(meaning.matchAll(CLAIM)).flatMap(([, ...found]) =>
    found.flatMap((text) => (text === undefined ? [] : [numberOf(text)])),
  );
}

const ofZod = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
const ofTool = (name: string) => builtinTools().get(name)?.parameters ?? expect.fail(name);

const FIELD = ["field", "default", "meaning"];
const PARAMETER = ["parameter", "default", "meaning"];

/** The tables whose rows are fields of one schema, and how many numbers their texts state at least. */
const TABLES: readonly (readonly [
  page: string,
  section: string,
  columns: readonly string[],
  schema: object,
  claims: number,
])[] = [
  ["agents-reference", "Fields of an agent", FIELD, ofZod(createAgentSchema), 7],
  ["handler-tools", "Fields", FIELD, ofZod(handlerToolSchema), 12],
  ["agents-reference", "Limits", ["limit", "default", "meaning"], ofZod(limitsSchema), 6],
  ["calculator-reference", "Parameters", PARAMETER, ofTool("calculator"), 2],
  ["composed-tools-reference", "Fields", FIELD, ofZod(composedToolSchema), 1],
  ["configuration", "Settings", ["variable", "setting", "default", "meaning"], ofZod(gatewayConfigSchema), 24],
  ["datetime-reference", "Parameters", PARAMETER, ofTool("datetime"), 3],
  ["integrations", "Integrations", FIELD, ofZod(createIntegrationSchema), 5],
  ["json-validator", "Parameters", PARAMETER, ofTool("json_validator"), 2],
  ["large-results", "What a tool lets the model read", FIELD, ofZod(projectionSchema), 6],
  ["large-results", "read_artifact", PARAMETER, ofTool("read_artifact"), 2],
  ["rest-tools-reference", "Definition", FIELD, ofZod(restDefinitionSchema), 9],
  ["rest-tools-reference", "Parameters", FIELD, ofZod(restParameterSchema), 2],
  ["secrets", "Secrets", ["field", "meaning"], ofZod(putSecretSchema), 3],
  ["text-summarizer-reference", "Parameters", PARAMETER, ofTool("text_summarizer"), 7],
  ["text-summarizer-reference", "Configuration", ["config", "default", "meaning"], ofZod(summarizerConfigSchema), 2],
  ["url-fetch", "Parameters", PARAMETER, ofTool("url_fetch"), 1],
  ["web-search-reference", "Parameters", PARAMETER, ofTool("web_search"), 5],
];

describe.each(TABLES)("docs/%s.md, %s", (page, section, columns, schema, atLeast) => {
  const { properties, definitionOf } = propertiesOf(schema);
  const nameColumn = columns.includes("setting") ? "setting" : (columns[0] ?? "");
  const rows = tableRows(`docs/${page}.md`, columns, section).map((row) => ({
    name: row[nameColumn] ?? "",
    default: row["default"] ?? "",
    claims: claimsOf(row["meaning"] ?? ""),
    bounds: boundsOf(properties[row[nameColumn] ?? ""], definitionOf),
  }));

  it("states bounds and defaults that the schema has", () => {
    expect(rows.flatMap(({ claims }) => claims).length).toBeGreaterThanOrEqual(atLeast);
    for (const { name, default: text, claims, bounds } of rows) {
      for (const claim of claims) {
        if (!ELSEWHERE.has(`${page} ${name} ${claim}`)) expect(bounds, name).toContain(claim);
      }
      const property = withDefaultSchema.safeParse(properties[name]).data?.default;
      if (text === "" || property === undefined) continue;
      if (typeof property === "number") expect(numberOf(text), name).toBe(property);
      if (typeof property === "boolean") expect(text, name).toBe(String(property));
    }
  });
});

const withDefaultSchema = z.object({ default: z.unknown() });

/** Stated numbers that no keyword of a schema says; the tests below hold them. */
const ELSEWHERE = new Set([
  "handler-tools headers 20",
  "configuration apiKey 32",
  "configuration workspaceCidrs 1000",
  "calculator-reference expression 2000",
  "calculator-reference expression 100",
  "secrets name 1",
  "secrets name 64",
]);

it("a handler tool has at most 20 headers, of 4096 characters each", () => {
  const headers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-header-${index}`, "v"]));
  const isTaken = (value: object) => handlerToolSchema.shape.headers.safeParse(value).success;
  expect([20, 21].map((count) => isTaken(headers(count)))).toEqual([true, false]);
  expect([4_096, 4_097].map((length) => isTaken({ "x-header": "v".repeat(length) }))).toEqual([true, false]);
});

it("a secret's name has 1 to 64 characters", () => {
  const names = ["A", "A".repeat(64), "A".repeat(65), ""];
  expect(names.map((name) => secretNameSchema.safeParse(name).success)).toEqual([true, true, false, false]);
});

it("an expression has at most 2,000 parts and 100 levels", async () => {
  const calculator = builtinTools().get("calculator") ?? expect.fail();
  const codeOf = async (expression: string) => {
    const outcome = await calculator.execute({ expression }, builtinContext());
    return "result" in outcome ? "result" : "error";
  };
  const nested = (levels: number) => `${"(".repeat(levels)}1${")".repeat(levels)}`;
  const sum = (parts: number) => `1${"+1".repeat((parts - 1) / 2)}`;
  expect(await Promise.all([sum(1_999), sum(2_001)].map(codeOf))).toEqual(["result", "error"]);
  expect(await Promise.all([nested(99), nested(101)].map(codeOf))).toEqual(["result", "error"]);
});
