import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { appendPointer } from "@yagate/lib/json/json-pointer";
import { FORMATS } from "@yagate/lib/json-schema/formats/parameter-formats";
import { SCHEMA_LIMITS } from "@yagate/lib/json-schema/limits";
import { LinearPattern } from "@yagate/lib/json-schema/linear-pattern";
import type { JsonObject as JsonOutput, JsonValue } from "@yagate/protocol";
import type { DocumentReferences } from "./document-references.ts";

const MAX_DEPTH = 8;
/** Maximum number of subschemas in one operation. The model reads all of them. */
const MAX_SUBSCHEMAS = 400;
const MAX_DESCRIPTION = 500;
/** Maximum total length of the descriptions inside the schemas of one operation, in characters. */
const MAX_DESCRIPTIONS = 20_000;

/** Keywords without subschemas that have the same meaning in OpenAPI and JSON Schema. */
const SAME = [
  "enum",
  "const",
  "multipleOf",
  "maximum",
  "minimum",
  "maxLength",
  "minLength",
  "maxItems",
  "minItems",
  "uniqueItems",
  "maxProperties",
  "minProperties",
  "default",
  "title",
] as const;

/**
 * Converts the schemas of one operation's request to JSON Schema 2020-12. References are inlined, because a tool has no
 * other document; recursive and oversized schemas are cut off.
 */
export class SchemaConverter {
  readonly #references: DocumentReferences;
  readonly #note: (text: string) => void;
  #remaining = MAX_SUBSCHEMAS;
  #remainingText = MAX_DESCRIPTIONS;
  #remainingPatterns: number = SCHEMA_LIMITS.maxPatterns;

  constructor(references: DocumentReferences, note: (text: string) => void) {
    this.#references = references;
    this.#note = note;
  }

  /**
   * Converts a schema.
   * @throws SkipOperation for a reference whose target is not in the documents.
   */
  convert(schema: unknown, path: string): JsonOutput {
    return this.#convert(schema, path, []);
  }

  #convert(schema: unknown, path: string, ancestors: readonly string[]): JsonOutput {
    if (schema === false) return { not: {} };
    if (!isJsonObject(schema)) return {};
    const { value, path: place } = this.#references.resolve(schema, path);
    if (ancestors.includes(place)) {
      this.#note(`${place} refers to itself: it is not described further`);
      return {};
    }
    this.#remaining -= 1;
    if (this.#remaining < 0 || ancestors.length >= MAX_DEPTH) {
      this.#note(`${place} is too large or too deeply nested: it is not described further`);
      return {};
    }
    return this.#convertResolved(value, place, [...ancestors, place]);
  }

  #convertResolved(schema: JsonObject, path: string, ancestors: readonly string[]): JsonOutput {
    const inside = (keyword: string, child: unknown, ...keys: readonly (string | number)[]) =>
      this.#convert(child, keys.reduce<string>(appendPointer, appendPointer(path, keyword)), ancestors);
    const output: Record<string, JsonValue> = {};
    for (const keyword of SAME) {
      const value = toJson(schema[keyword]);
      if (value !== undefined) output[keyword] = value;
    }
    if (schema["enum"] !== undefined && !isValueList(schema["enum"])) {
      delete output["enum"];
      this.#note(`the enum at ${path} is omitted: it lists no values`);
    }
    this.#copyText(schema, output);
    copyType(schema, output);
    if (isTextWithoutTexts(output)) {
      delete output["enum"];
      this.#note(`the enum at ${path} is omitted: none of its values is a string`);
    }
    copyLimit(schema, output, "exclusiveMinimum", "minimum");
    copyLimit(schema, output, "exclusiveMaximum", "maximum");
    this.#copyPattern(schema, output, path);
    const all = requestProperties(schema, (child, key) => this.#isReadOnly(child, path, key));
    const isTooMany = all.length > this.#remaining;
    if (isTooMany) this.#note(`${path} is too large or too deeply nested: it is not described further`);
    const properties = isTooMany ? [] : all;
    if (properties.length > 0) {
      output["properties"] = Object.fromEntries(
        properties.map(([key, child]) => [key, inside("properties", child, key)]),
      );
    }
    const { required, items, prefixItems, additionalProperties } = schema;
    if (Array.isArray(required) && !isTooMany) {
      const isSent = (name: string) => all.length === 0 || properties.some(([key]) => key === name);
      const names = required.filter((name) => typeof name === "string").filter(isSent);
      if (names.length > 0) output["required"] = [...new Set(names)];
    }
    if (items !== undefined) output["items"] = inside("items", items);
    if (Array.isArray(prefixItems))
      output["prefixItems"] = prefixItems.map((child, n) => inside("prefixItems", child, n));
    if (additionalProperties === false) output["additionalProperties"] = false;
    else if (isJsonObject(additionalProperties)) {
      output["additionalProperties"] = inside("additionalProperties", additionalProperties);
    }
    for (const keyword of ["allOf", "anyOf", "oneOf"] as const) {
      const members = schema[keyword];
      if (Array.isArray(members) && members.length > 0) {
        output[keyword] = members.map((child, n) => inside(keyword, child, n));
      }
    }
    if (isJsonObject(schema["not"])) output["not"] = inside("not", schema["not"]);
    return output;
  }

  #isReadOnly(child: unknown, path: string, key: string): boolean {
    if (!isJsonObject(child)) return false;
    return (
      this.#references.resolve(child, appendPointer(appendPointer(path, "properties"), key)).value["readOnly"] === true
    );
  }

  #copyText({ description, format }: JsonObject, output: Record<string, JsonValue>): void {
    if (typeof format === "string" && FORMATS.has(format)) output["format"] = format;
    if (typeof description !== "string" || description.trim() === "") return;
    const text = description.slice(0, MAX_DESCRIPTION);
    this.#remainingText -= text.length;
    if (this.#remainingText < 0) this.#note("descriptions inside large fields are omitted");
    else output["description"] = text;
  }

  #copyPattern({ pattern }: JsonObject, output: Record<string, JsonValue>, path: string): void {
    if (typeof pattern !== "string") return;
    try {
      if (pattern.length > SCHEMA_LIMITS.maxPatternLength) throw new RangeError("too long");
      const compiled = new LinearPattern(pattern);
      if (compiled.instructions > SCHEMA_LIMITS.maxPatternInstructions) throw new RangeError("too large");
      this.#remainingPatterns -= 1;
      if (this.#remainingPatterns < 0) {
        this.#note(`some patterns are omitted: a tool can have at most ${SCHEMA_LIMITS.maxPatterns}`);
      } else output["pattern"] = pattern;
    } catch {
      this.#note(`the pattern at ${path} is omitted: it can't be checked in linear time`);
    }
  }
}

function isValueList(values: unknown): boolean {
  return Array.isArray(values) && values.length > 0;
}

/**
 * Checks whether an enum for the type string contains no string, as with an unquoted `1.0` in YAML. No argument would
 * match it.
 */
function isTextWithoutTexts({ type, enum: values }: Readonly<Record<string, JsonValue>>): boolean {
  const isText = [type].flat().every((one) => one === "string" || one === "null");
  return isText && Array.isArray(values) && !values.some((value) => typeof value === "string");
}

/** Returns the properties without read-only ones, which occur only in responses. */
function requestProperties(
  { properties }: JsonObject,
  isReadOnly: (child: unknown, key: string) => boolean,
): readonly (readonly [string, unknown])[] {
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).filter(([key, child]) => !isReadOnly(child, key));
}

function copyType({ type, nullable, enum: values }: JsonObject, output: Record<string, JsonValue>): void {
  const types = [type].flat().filter((one) => typeof one === "string");
  const isNullable = nullable === true && types.length > 0 && !types.includes("null");
  const all = isNullable ? [...types, "null"] : types;
  const [only] = all;
  if (only !== undefined) output["type"] = all.length === 1 ? only : all;
  const listed = toJson(values);
  if (isNullable && Array.isArray(listed) && listed.length > 0 && !listed.includes(null))
    output["enum"] = [...listed, null];
}

/**
 * Copies a limit. In OpenAPI 3.0, the value true instead of a number makes the limit in the keyword `other` exclusive.
 */
function copyLimit(schema: JsonObject, output: Record<string, JsonValue>, keyword: string, other: string): void {
  const limit = schema[keyword];
  if (typeof limit === "number") output[keyword] = limit;
  const bound = schema[other];
  if (limit !== true || typeof bound !== "number") return;
  output[keyword] = bound;
  delete output[other];
}

/** Converts a value from a JSON or YAML parser. YAML types that JSON does not have, such as dates, are omitted. */
function toJson(value: unknown): JsonValue | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) return value.map((item) => toJson(item) ?? null);
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJson(member) ?? null]));
}
