import type { ErrorObject } from "ajv";
import { isJsonObject } from "../json/json-object.ts";

const MAX_LIST_CHARACTERS = 240;

const FORMAT_EXAMPLES: ReadonlyMap<string, string> = new Map([
  ["date", "2026-11-21"],
  ["time", "09:30:00Z"],
  ["date-time", "2026-11-21T09:30:00Z"],
  ["duration", "P1DT2H"],
  ["email", "name@example.com"],
  ["uri", "https://example.com/page"],
  ["url", "https://example.com/page"],
  ["uuid", "01890f5e-7a3c-7cc0-98d2-0f0f2c1a9b3e"],
  ["ipv4", "192.0.2.1"],
  ["hostname", "example.com"],
]);

type Words = (params: Readonly<Record<string, unknown>>, error: ErrorObject) => string;

/** What each keyword expected, in words that follow the name of the place. Never holds a value of the data. */
const WORDS: ReadonlyMap<string, Words> = new Map<string, Words>([
  ["type", ({ type }, { data }) => `must be ${withArticle(listOf(type, " or "))}, not ${withArticle(typeName(data))}`],
  ["required", () => "is required"],
  ["dependentRequired", ({ property }) => `is required when ${shortText(property)} is given`],
  ["dependencies", ({ property }) => `is required when ${shortText(property)} is given`],
  ["additionalProperties", (_params, error) => `is not a known field${knownFields(error)}`],
  ["unevaluatedProperties", () => "is not a known field"],
  ["propertyNames", () => "has a name that is not allowed"],
  ["enum", ({ allowedValues }) => `must be one of ${listOfValues(allowedValues)}`],
  ["const", ({ allowedValue }) => `must be ${listOfValues([allowedValue])}`],
  ["format", ({ format }) => `must be a valid ${shortText(format)}${example(format)}`],
  ["pattern", ({ pattern }) => `must match the pattern ${shortText(pattern)}`],
  ["minimum", ({ limit }) => `must be at least ${limit}`],
  ["maximum", ({ limit }) => `must be at most ${limit}`],
  ["exclusiveMinimum", ({ limit }) => `must be more than ${limit}`],
  ["exclusiveMaximum", ({ limit }) => `must be less than ${limit}`],
  ["multipleOf", ({ multipleOf }) => `must be a multiple of ${multipleOf}`],
  ["minLength", ({ limit }) => `must have at least ${count(limit, "character")}`],
  ["maxLength", ({ limit }) => `must have at most ${count(limit, "character")}`],
  ["minItems", ({ limit }) => `must have at least ${count(limit, "item")}`],
  ["maxItems", ({ limit }) => `must have at most ${count(limit, "item")}`],
  ["items", ({ limit }) => `must have at most ${count(limit, "item")}`],
  ["unevaluatedItems", ({ limit }) => `must have at most ${count(limit, "item")}`],
  ["minProperties", ({ limit }) => `must have at least ${count(limit, "field")}`],
  ["maxProperties", ({ limit }) => `must have at most ${count(limit, "field")}`],
  ["uniqueItems", ({ i, j }) => `must not repeat an item: ${j} and ${i} are equal`],
  ["contains", ({ minContains, maxContains }) => `must have ${range(minContains, maxContains)} of the asked-for kind`],
  ["anyOf", () => "must fit at least one of its alternatives"],
  [
    "oneOf",
    (params) =>
      `must fit exactly one of its alternatives${Array.isArray(params["passingSchemas"]) ? ", not several" : ""}`,
  ],
  ["not", () => "must not have the form that the schema excludes"],
  ["if", () => "must fit what the schema asks for in this case"],
  ["false schema", () => "is not allowed here"],
]);

/** What one violation expected: `must be an integer, not a string`, `is required`. */
export function violationText(error: ErrorObject): string {
  const params: Readonly<Record<string, unknown>> = error.params;
  return WORDS.get(error.keyword)?.(params, error) ?? `must satisfy ${shortText(error.keyword)}`;
}

/** The JSON Schema name of a value's type. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** A type's name, or several joined by "or", as it reads in a sentence. */
export function withArticle(types: string): string {
  if (types === "null") return types;
  return /^[aeiou]/.test(types) ? `an ${types}` : `a ${types}`;
}

/** A name or pattern that is not ours, cut so that it can't fill a message. */
export function shortText(text: unknown): string {
  const whole = String(text);
  return whole.length > 80 ? `${whole.slice(0, 77)}…` : whole;
}

function listOf(types: unknown, separator: string): string {
  return Array.isArray(types) ? types.join(separator) : String(types);
}

function listOfValues(values: unknown): string {
  const texts = (Array.isArray(values) ? values : []).map((value) => shortText(JSON.stringify(value)));
  return boundedList(texts);
}

function knownFields(error: ErrorObject): string {
  const properties: unknown = error.parentSchema?.["properties"];
  if (!isJsonObject(properties) || Object.keys(properties).length === 0) return "";
  return ` (known: ${boundedList(Object.keys(properties).map(shortText))})`;
}

function boundedList(texts: readonly string[]): string {
  let joined = "";
  for (const [index, text] of texts.entries()) {
    if (joined.length + text.length > MAX_LIST_CHARACTERS) return `${joined} and ${texts.length - index} more`;
    joined += index === 0 ? text : `, ${text}`;
  }
  return joined;
}

function example(format: unknown): string {
  const text = typeof format === "string" ? FORMAT_EXAMPLES.get(format) : undefined;
  return text === undefined ? "" : ` such as ${text}`;
}

function count(limit: unknown, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? "" : "s"}`;
}

function range(min: unknown, max: unknown): string {
  return max === undefined ? `at least ${count(min, "item")}` : `${min} to ${max} items`;
}
