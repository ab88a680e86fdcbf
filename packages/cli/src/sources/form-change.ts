import { isDeepStrictEqual } from "node:util";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { normaliseSchema } from "@yagate/lib/json-schema/normalise-schema";
import type { JsonObject, JsonValue, ToolChange } from "@yagate/protocol";

/** Keywords that generators write differently, or leave out, for the same type. */
const FORM: ReadonlySet<string> = new Set(["$schema", "$id", "format", "pattern", "propertyNames"]);
/** Keywords whose members have the names of the author, not of JSON Schema. */
const MAPS: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs", "definitions"]);

/**
 * Whether a different schema generator explains all differences of a changed tool. Everything that a generator does not
 * decide must be equal: every text, name, value and limit.
 */
export function isFormChange({ state, isGeneratorChanged, isLaxer, before, after }: ToolChange): boolean {
  if (state !== "changed" || !isGeneratorChanged || isLaxer || before === null || after === null) return false;
  return isDeepStrictEqual(withoutForms(before), withoutForms(after));
}

function withoutForms({ parameters = null, outputSchema = null, ...rest }: JsonObject): JsonObject {
  return { ...rest, parameters: comparable(parameters), outputSchema: comparable(outputSchema) };
}

function comparable(schema: JsonValue): JsonValue {
  return withoutForm(isJsonObject(schema) ? normaliseSchema(schema) : schema);
}

function withoutForm(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(withoutForm);
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword, value]) => !isForm(keyword, value));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, member(keyword, value)]));
}

function member(keyword: string, value: JsonValue): JsonValue {
  if (!MAPS.has(keyword) || !isJsonObject(value)) return withoutForm(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withoutForm(schema)]));
}

function isForm(keyword: string, value: JsonValue): boolean {
  // A sentence in a pattern would be a text for the model.
  if (FORM.has(keyword)) return !/\s/.test(JSON.stringify(value));
  if (keyword === "additionalProperties") return typeof value === "boolean" || isDeepStrictEqual(value, {});
  if (keyword === "minimum") return value === Number.MIN_SAFE_INTEGER;
  return keyword === "maximum" && value === Number.MAX_SAFE_INTEGER;
}
