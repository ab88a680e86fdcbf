import fc from "fast-check";
import * as z from "zod";
import { type Draw, happens, pick } from "./draw.ts";
import type { KnownIds } from "./known-ids.ts";

export interface ValueOptions {
  readonly draw: Draw;
  readonly schemas: Readonly<Record<string, object>>;
  readonly ids: KnownIds;
}

const schemaSchema = z.looseObject({
  $ref: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  examples: z.array(z.unknown()).default([]),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  type: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
  propertyNames: z.unknown().optional(),
  items: z.unknown().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  pattern: z.string().optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
type Schema = z.infer<typeof schemaSchema>;

const MAX_DEPTH = 6;
const TEXTS = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: "grapheme", maxLength: 12 }));
const URLS = ["https://tools.example/run", "https://api.example.com/v1/{id}", "http://127.0.0.1:9/tools"] as const;

/** A value that a schema of the document allows, as far as the schema says. */
export function validValue(given: unknown, options: ValueOptions, depth = 0): unknown {
  const { draw, schemas } = options;
  const schema = schemaSchema.catch({ examples: [] }).parse(given);
  if (schema.$ref !== undefined) {
    return validValue(schemas[schema.$ref.replace("#/components/schemas/", "")], options, depth);
  }
  if (schema.const !== undefined) return schema.const;
  // What the document shows leads further than what is made up.
  if (schema.examples.length > 0 && happens(draw, 25)) return pick(draw, schema.examples);
  if (schema.enum !== undefined) return pick(draw, schema.enum);
  const members = schema.anyOf ?? schema.oneOf;
  if (members !== undefined) {
    // The last member of a union ends it: null, or a plain form.
    return validValue(depth > MAX_DEPTH ? members.at(-1) : pick(draw, members), options, depth + 1);
  }
  switch (schema.type) {
    case "object":
      return objectOf(schema, options, depth);
    case "array":
      return arrayOf(schema, options, depth);
    case "string":
      return textOf(schema, options);
    case "integer":
    case "number":
      return numberOf(schema, draw);
    case "boolean":
      return draw(fc.boolean());
    case "null":
      return null;
    default:
      return JSON.parse(draw(fc.json({ maxDepth: 2 })));
  }
}

function objectOf(schema: Schema, options: ValueOptions, depth: number): object {
  const { draw } = options;
  const required = new Set(schema.required);
  const percent = depth > 3 ? 10 : 40;
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => required.has(name) || happens(draw, percent))
    .map(([name, property]) => [name, validValue(property, options, depth + 1)]);
  if (schema.properties === undefined && happens(draw, 50)) {
    const isOpen = typeof schema.additionalProperties !== "object" || schema.additionalProperties === null;
    const name = validValue(schema.propertyNames ?? { type: "string" }, options, depth + 1);
    entries.push([String(name), isOpen ? 1 : validValue(schema.additionalProperties, options, depth + 1)]);
  }
  // A JSON Schema of parameters is the free object that requests hold most.
  if (schema.properties === undefined && happens(draw, 50)) entries.push(["type", "object"]);
  return Object.fromEntries(entries);
}

function arrayOf({ items, minItems = 0, maxItems = 3 }: Schema, options: ValueOptions, depth: number): unknown[] {
  const most = depth > MAX_DEPTH ? minItems : Math.min(maxItems, minItems + 2);
  const length = options.draw(fc.integer({ min: minItems, max: Math.max(minItems, most) }));
  return Array.from({ length }, () => validValue(items, options, depth + 1));
}

function textOf({ format, pattern, minLength = 0, maxLength = 40 }: Schema, { draw, ids }: ValueOptions): string {
  if (format === "date-time") {
    return draw(fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true })).toISOString();
  }
  if (format === "uri") return pick(draw, URLS);
  if (pattern !== undefined) {
    const known = ids.matching(pattern);
    if (known.length > 0 && happens(draw, 80)) return pick(draw, known);
    return draw(fc.stringMatching(new RegExp(pattern))).slice(0, maxLength);
  }
  const names = ids.names();
  if (names.length > 0 && happens(draw, 15)) return pick(draw, names);
  const text = draw(TEXTS).slice(0, maxLength);
  return text.length >= minLength ? text : text.padEnd(minLength, "x");
}

function numberOf({ type, minimum = -1_000, maximum = 1_000_000 }: Schema, draw: Draw): number {
  const min = Math.max(minimum, -1_000);
  const max = Math.min(maximum, 1_000_000);
  const edges = fc.constantFrom(minimum, maximum);
  if (type === "integer") return draw(fc.oneof(edges, fc.integer({ min, max })));
  return draw(fc.oneof(edges, fc.double({ min, max, noNaN: true })));
}
