import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { shortText, typeName, withArticle } from "@yagate/lib/json-schema/violation-text";
import { canonicalJson } from "./canonical-json.ts";
import { meantInstead } from "./closest-word.ts";
import { isMultipleOf } from "./multiple-of.ts";
import type { StepBudget } from "./step-budget.ts";
import { counted, shownList, shownValue } from "./wording.ts";

/** What an assertion may look at. */
export interface AssertionInput {
  /** The value of the keyword. */
  readonly expected: unknown;
  readonly value: unknown;
  /** The schema around the keyword. */
  readonly schema: JsonObject;
  readonly budget: StepBudget;
}

/** Of the choices of an `enum`, those that a wrong value may have been meant for. */
const MAX_COMPARED = 100;

/** What is wrong, once for each thing; nothing when the value fits or the keyword is not about such values. */
type Assertion = (input: AssertionInput) => string | readonly string[] | undefined;

/** The keywords that look at one value and at nothing inside it. `pattern` and `format` have their own places. */
export const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map<string, Assertion>([
  ["type", checkType],
  ["enum", checkEnum],
  ["const", checkConst],
  ["multipleOf", checkMultiple],
  ["minimum", ({ expected, value, schema }) => checkMinimum(expected, value, schema["exclusiveMinimum"] === true)],
  ["maximum", ({ expected, value, schema }) => checkMaximum(expected, value, schema["exclusiveMaximum"] === true)],
  ["exclusiveMinimum", ({ expected, value }) => checkMinimum(expected, value, true)],
  ["exclusiveMaximum", ({ expected, value }) => checkMaximum(expected, value, true)],
  ["minLength", (input) => checkSize(input, lengthOf, "min", "character")],
  ["maxLength", (input) => checkSize(input, lengthOf, "max", "character")],
  ["minItems", (input) => checkSize(input, itemsOf, "min", "item")],
  ["maxItems", (input) => checkSize(input, itemsOf, "max", "item")],
  ["minProperties", (input) => checkSize(input, propertiesOf, "min", "property")],
  ["maxProperties", (input) => checkSize(input, propertiesOf, "max", "property")],
  ["uniqueItems", checkUnique],
  ["required", checkRequired],
  ["dependentRequired", checkDependentRequired],
]);

function checkType({ expected, value }: AssertionInput): string | undefined {
  const types = [expected].flat();
  if (types.some((type) => isOfType(value, type))) return undefined;
  const found = typeof value === "number" && types.includes("integer") ? `the number ${value}` : foundType(value);
  return `must be ${withArticle(types.join(" or "))}, not ${found}`;
}

function foundType(value: unknown): string {
  return withArticle(typeName(value));
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  return typeName(value) === type;
}

const KNOWN_CHOICES = new WeakMap<readonly unknown[], ReadonlySet<string>>();

function checkEnum({ expected, value, budget }: AssertionInput): string | undefined {
  if (!Array.isArray(expected)) return undefined;
  let choices = KNOWN_CHOICES.get(expected);
  if (choices === undefined) {
    choices = new Set(expected.map(canonicalJson));
    KNOWN_CHOICES.set(expected, choices);
  }
  const text = canonicalJson(value);
  budget.spend(text.length / 8);
  if (choices.has(text)) return undefined;
  const meant = typeof value === "string" ? meantInstead(value, textsOf(expected)) : "";
  return `must be one of ${shownList(expected)}, not ${shownValue(value)}${meant}`;
}

function textsOf(values: readonly unknown[]): readonly string[] {
  return values.slice(0, MAX_COMPARED).filter((value) => typeof value === "string");
}

function checkConst({ expected, value, budget }: AssertionInput): string | undefined {
  const text = canonicalJson(value);
  budget.spend(text.length / 8);
  if (text === canonicalJson(expected)) return undefined;
  return `must be ${shownList([expected])}, not ${shownValue(value)}`;
}

function checkMultiple({ expected, value }: AssertionInput): string | undefined {
  if (typeof value !== "number" || typeof expected !== "number" || isMultipleOf(value, expected)) return undefined;
  return `must be a multiple of ${expected}, which ${value} is not`;
}

function checkMinimum(limit: unknown, value: unknown, isExclusive: boolean): string | undefined {
  if (typeof value !== "number" || typeof limit !== "number") return undefined;
  if (isExclusive ? value > limit : value >= limit) return undefined;
  return `must be ${isExclusive ? "more than" : "at least"} ${limit}, not ${value}`;
}

function checkMaximum(limit: unknown, value: unknown, isExclusive: boolean): string | undefined {
  if (typeof value !== "number" || typeof limit !== "number") return undefined;
  if (isExclusive ? value < limit : value <= limit) return undefined;
  return `must be ${isExclusive ? "less than" : "at most"} ${limit}, not ${value}`;
}

function checkSize(
  { expected, value, budget }: AssertionInput,
  sizeOf: (value: unknown, budget: StepBudget) => number | undefined,
  bound: "min" | "max",
  noun: string,
): string | undefined {
  if (typeof expected !== "number") return undefined;
  const size = sizeOf(value, budget);
  if (size === undefined || (bound === "min" ? size >= expected : size <= expected)) return undefined;
  return `must have ${bound === "min" ? "at least" : "at most"} ${counted(expected, noun)}, not ${size}`;
}

/** Characters are code points, as in the specification. */
function lengthOf(value: unknown, budget: StepBudget): number | undefined {
  if (typeof value !== "string") return undefined;
  budget.spend(value.length / 8);
  let length = 0;
  for (const _character of value) length += 1;
  return length;
}

function itemsOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function propertiesOf(value: unknown): number | undefined {
  return isJsonObject(value) ? Object.keys(value).length : undefined;
}

function checkUnique({ expected, value, budget }: AssertionInput): string | undefined {
  if (expected !== true || !Array.isArray(value)) return undefined;
  const places = new Map<string, number>();
  for (const [index, item] of value.entries()) {
    const text = canonicalJson(item);
    budget.spend(1 + text.length / 8);
    const before = places.get(text);
    if (before !== undefined) return `must not repeat an item: items ${before} and ${index} are equal`;
    places.set(text, index);
  }
  return undefined;
}

function checkRequired({ expected, value, budget }: AssertionInput): readonly string[] | undefined {
  if (!isJsonObject(value) || !Array.isArray(expected)) return undefined;
  budget.spend(expected.length / 8);
  return missing(value, expected).map((name) => `must have the property ${shortText(JSON.stringify(name))}`);
}

function checkDependentRequired({ expected, value, budget }: AssertionInput): readonly string[] | undefined {
  if (!isJsonObject(value) || !isJsonObject(expected)) return undefined;
  return Object.entries(expected).flatMap(([given, names]) => {
    if (!Object.hasOwn(value, given) || !Array.isArray(names)) return [];
    budget.spend(1 + names.length / 8);
    const because = `when ${shortText(JSON.stringify(given))} is given`;
    return missing(value, names).map((name) => `must have the property ${shortText(JSON.stringify(name))} ${because}`);
  });
}

function missing(value: JsonObject, names: readonly unknown[]): readonly string[] {
  return names.filter((name): name is string => typeof name === "string" && !Object.hasOwn(value, name));
}
