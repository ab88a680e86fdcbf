import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { isApplicator, listSubschemas, type Subschema } from "./subschemas.ts";

/** The keyword that makes each schema spend from the budget; its value is the number of steps. */
export const STEPS_KEYWORD = "x-yagate-steps";

const ASSERTIONS: ReadonlySet<string> = new Set([
  "$ref",
  "$anchor",
  "type",
  "enum",
  "const",
  "multipleOf",
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "maxLength",
  "minLength",
  "pattern",
  "maxItems",
  "minItems",
  "uniqueItems",
  "maxContains",
  "minContains",
  "maxProperties",
  "minProperties",
  "required",
  "dependentRequired",
  "format",
]);

/**
 * A copy of a checked schema with the keywords that assert something and nothing else, and its cost in each schema.
 *
 * What is left out could only do harm: `$id` and `$schema` send the compiler to other documents, `$async` makes it
 * answer with a promise, and unknown keywords may hold any of them. Pointers into the schema stay valid.
 */
export function toCompilableSchema(schema: JsonObject): JsonObject {
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (ASSERTIONS.has(keyword)) copy[keyword] = value;
  }
  // OpenAPI's way to allow null; the compiler refuses it without a type.
  if (schema["nullable"] === true && Object.hasOwn(schema, "type")) copy["nullable"] = true;
  const ownCost = 1 + (JSON.stringify(copy).length >> 5);
  const subschemas = listSubschemas(schema);
  for (const [keyword, value] of Object.entries(schema)) {
    if (isApplicator(keyword)) copy[keyword] = copyContainer(keyword, value, subschemas);
  }
  return { ...copy, [STEPS_KEYWORD]: ownCost + subschemas.length };
}

function copySchema(schema: unknown): unknown {
  return isJsonObject(schema) ? toCompilableSchema(schema) : schema;
}

function copyContainer(keyword: string, value: unknown, subschemas: readonly Subschema[]): unknown {
  const inside = subschemas.filter((one) => one.keyword === keyword);
  const only = inside.find(({ key }) => key === undefined);
  if (only !== undefined) return copySchema(only.schema);
  if (Array.isArray(value)) return inside.map(({ schema }) => copySchema(schema));
  const copies = inside.map(({ key, schema }) => [String(key), copySchema(schema)]);
  return { ...(isJsonObject(value) ? value : {}), ...Object.fromEntries(copies) };
}
