import { isJsonObject } from "@yagate/lib/json/json-object";
import type { JsonObject, JsonValue } from "@yagate/protocol";

/** Keywords whose value is data, in which `required` and `$schema` have no meaning. */
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);
/** Keywords whose value maps names to schemas. */
const MAPS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

/**
 * Returns a JSON Schema without the differences that mean nothing: without the top-level `$schema`, and with every
 * `required` sorted. It is for comparison only, because `$schema` selects the dialect.
 *
 * @param schema - nested a limited number of levels, since the function is recursive.
 */
export function normaliseSchema({ $schema: _dialect, ...schema }: JsonObject): JsonObject {
  return normaliseMembers(schema);
}

function normaliseMembers(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, normalised(keyword, value)]));
}

function normalised(keyword: string, value: JsonValue): JsonValue {
  if (DATA.has(keyword)) return value;
  if (keyword === "required" && Array.isArray(value)) return value.toSorted(byText);
  if (Array.isArray(value)) return value.map((item) => normalised("", item));
  if (!isJsonObject(value)) return value;
  if (!MAPS.has(keyword)) return normaliseMembers(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, normalised("", schema)]));
}

function byText(left: JsonValue, right: JsonValue): number {
  const [first, second] = [String(left), String(right)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}
