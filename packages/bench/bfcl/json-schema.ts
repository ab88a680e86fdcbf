import { isJsonObject } from "@yagate/lib/json/json-object";
import { type JsonObject, jsonObjectSchema } from "@yagate/protocol";

/** The types of BFCL that JSON Schema calls differently: those of Python and, in two files, of Java and JavaScript. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["dict", "object"],
  ["HashMap", "object"],
  ["tuple", "array"],
  ["ArrayList", "array"],
  ["Array", "array"],
  ["float", "number"],
  ["double", "number"],
  ["long", "integer"],
  ["Boolean", "boolean"],
  ["String", "string"],
  ["char", "string"],
]);
const KNOWN = new Set(["object", "array", "number", "integer", "boolean", "string"]);
/** Keywords that JSON Schema has, with the same meaning. `optional` and formats such as `float` are left out. */
const KEYWORDS = ["description", "enum", "required", "default", "minItems", "maxItems", "maximum"] as const;

/** Translates the parameters of a function to JSON Schema. A type that JSON Schema lacks, such as `any`, allows all values. */
export function toJsonSchema(parameters: JsonObject): JsonObject {
  return jsonObjectSchema.parse(translate(parameters));
}

function translate(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { type, properties, items } = schema;
  const known = typeof type === "string" ? (TYPES.get(type) ?? type) : undefined;
  const translated: Record<string, unknown> = {};
  if (known !== undefined && KNOWN.has(known)) translated.type = known;
  for (const keyword of KEYWORDS) {
    const value = schema[keyword];
    if (value !== undefined) translated[keyword] = value;
  }
  if (isJsonObject(properties)) {
    translated.properties = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, isJsonObject(property) ? translate(property) : true]),
    );
  }
  if (isJsonObject(items)) translated.items = translate(items);
  return translated;
}
