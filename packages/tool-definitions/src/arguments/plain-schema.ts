import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { isApplicator, listSubschemas, type Subschema } from "./subschemas.ts";

/** What sends a reader to other documents or to another draft. */
const LEFT_OUT: ReadonlySet<string> = new Set(["$id", "$schema", "$vocabulary", "$dynamicRef", "$dynamicAnchor"]);

/**
 * A copy of a checked schema that is read as JSON Schema 2020-12, whatever it says of itself: the drafts that it may name
 * mean the same there. Pointers into the schema stay valid.
 */
export function toPlainSchema(schema: JsonObject): JsonObject {
  const subschemas = listSubschemas(schema);
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isApplicator(keyword)) copy[keyword] = copyContainer(keyword, value, subschemas);
    else if (!LEFT_OUT.has(keyword)) copy[keyword] = value;
  }
  // OpenAPI's way to allow null.
  if (schema["nullable"] === true && Object.hasOwn(schema, "type")) {
    copy["type"] = [...new Set([schema["type"], "null"].flat())];
  }
  return copy;
}

function copySchema(schema: unknown): unknown {
  return isJsonObject(schema) ? toPlainSchema(schema) : schema;
}

function copyContainer(keyword: string, value: unknown, subschemas: readonly Subschema[]): unknown {
  const inside = subschemas.filter((one) => one.keyword === keyword);
  const only = inside.find(({ key }) => key === undefined);
  if (only !== undefined) return copySchema(only.schema);
  if (Array.isArray(value)) return inside.map(({ schema }) => copySchema(schema));
  const copies = inside.map(({ key, schema }) => [String(key), copySchema(schema)]);
  return { ...(isJsonObject(value) ? value : {}), ...Object.fromEntries(copies) };
}
