import { isJsonObject, isObject, type JsonObject } from "../../json/json-object.ts";
import { defined } from "../../objects/defined.ts";
import { meantInstead } from "../closest-word.ts";
import { shortText, typeName, withArticle } from "../violation-text.ts";
import { type Keyword, type KeywordPath, report, type Visit } from "../visit.ts";
import { counted, notThis, shownList } from "../wording.ts";
import { canonicalJson } from "./canonical-json.ts";
import { isMultipleOf } from "./multiple-of.ts";

/** Maximum number of values of an `enum` to compare with the value for a suggestion. */
const MAX_COMPARED = 100;

/** Keywords that check a value without its children, except `format`, which is handled separately. */
export const ASSERTIONS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ["type", checkType],
  ["enum", checkEnum],
  ["const", checkConst],
  ["multipleOf", checkMultiple],
  ["minimum", (visit, limit) => checkMinimum(visit, limit, visit.schema["exclusiveMinimum"] === true, "minimum")],
  ["maximum", (visit, limit) => checkMaximum(visit, limit, visit.schema["exclusiveMaximum"] === true, "maximum")],
  ["exclusiveMinimum", (visit, limit) => checkMinimum(visit, limit, true, "exclusiveMinimum")],
  ["exclusiveMaximum", (visit, limit) => checkMaximum(visit, limit, true, "exclusiveMaximum")],
  ["minLength", (visit, limit) => checkSize(visit, limit, lengthOf(visit), "minLength", "character")],
  ["maxLength", (visit, limit) => checkSize(visit, limit, lengthOf(visit), "maxLength", "character")],
  ["minItems", (visit, limit) => checkSize(visit, limit, itemsOf(visit), "minItems", "item")],
  ["maxItems", (visit, limit) => checkSize(visit, limit, itemsOf(visit), "maxItems", "item")],
  ["minProperties", (visit, limit) => checkSize(visit, limit, propertiesOf(visit), "minProperties", "property")],
  ["maxProperties", (visit, limit) => checkSize(visit, limit, propertiesOf(visit), "maxProperties", "property")],
  ["pattern", checkPattern],
  ["uniqueItems", checkUnique],
  ["required", checkRequired],
  ["dependentRequired", checkDependentRequired],
]);

function checkType(visit: Visit, expected: unknown): boolean {
  const { value } = visit;
  const isFitting = Array.isArray(expected)
    ? expected.some((type) => isOfType(value, type))
    : isOfType(value, expected);
  if (isFitting) return true;
  const message = () => `must be ${withArticle([expected].flat().join(" or "))}, not ${foundType(visit, expected)}`;
  return report(visit, ["type"], { message });
}

function foundType({ run, value }: Visit, expected: unknown): string {
  if (typeof value !== "number" || ![expected].flat().includes("integer")) return withArticle(typeName(value));
  return run.quotesValues ? `the number ${value}` : "a number with a fraction";
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  return typeName(value) === type;
}

interface Choices {
  readonly scalars: ReadonlySet<unknown>;
  /** The objects and arrays among the values, as canonical JSON. */
  readonly texts: ReadonlySet<string>;
}

const KNOWN_CHOICES = new WeakMap<readonly unknown[], Choices>();

function checkEnum(visit: Visit, expected: unknown): boolean {
  if (!Array.isArray(expected)) return true;
  let choices = KNOWN_CHOICES.get(expected);
  if (choices === undefined) {
    const texts = expected.filter(isObject).map(canonicalJson);
    choices = { scalars: new Set(expected), texts: new Set(texts) };
    KNOWN_CHOICES.set(expected, choices);
  }
  const { value } = visit;
  if (isObject(value) ? choices.texts.has(canonicalText(visit, value)) : choices.scalars.has(value)) return true;
  const message = () => {
    const meant = typeof value === "string" ? meantInstead(value, textsOf(expected)) : "";
    return `must be one of ${shownList(expected)}${notThis(visit)}${meant}`;
  };
  return report(visit, ["enum"], { message });
}

function canonicalText({ run }: Visit, value: unknown): string {
  const text = canonicalJson(value);
  run.budget.spend(text.length / 8);
  return text;
}

function textsOf(values: readonly unknown[]): readonly string[] {
  return values.slice(0, MAX_COMPARED).filter((value) => typeof value === "string");
}

function checkConst(visit: Visit, expected: unknown): boolean {
  const { value } = visit;
  if (isObject(value) ? canonicalText(visit, value) === canonicalJson(expected) : value === expected) return true;
  return report(visit, ["const"], { message: () => `must be ${shownList([expected])}${notThis(visit)}` });
}

function checkMultiple(visit: Visit, expected: unknown): boolean {
  const { value, run } = visit;
  if (typeof value !== "number" || typeof expected !== "number" || isMultipleOf(value, expected)) return true;
  const message = () => `must be a multiple of ${expected}${run.quotesValues ? `, not ${value}` : ""}`;
  return report(visit, ["multipleOf"], { message });
}

function checkMinimum(visit: Visit, limit: unknown, isExclusive: boolean, keyword: string): boolean {
  const { value } = visit;
  if (typeof value !== "number" || typeof limit !== "number") return true;
  if (isExclusive ? value > limit : value >= limit) return true;
  const message = () => `must be ${isExclusive ? "more than" : "at least"} ${limit}${notThis(visit)}`;
  return report(visit, [keyword], { message });
}

function checkMaximum(visit: Visit, limit: unknown, isExclusive: boolean, keyword: string): boolean {
  const { value } = visit;
  if (typeof value !== "number" || typeof limit !== "number") return true;
  if (isExclusive ? value < limit : value <= limit) return true;
  const message = () => `must be ${isExclusive ? "less than" : "at most"} ${limit}${notThis(visit)}`;
  return report(visit, [keyword], { message });
}

function checkSize(visit: Visit, limit: unknown, size: number | undefined, keyword: string, noun: string): boolean {
  if (typeof limit !== "number" || size === undefined) return true;
  const isLeast = keyword.startsWith("min");
  if (isLeast ? size >= limit : size <= limit) return true;
  const message = () => `must have ${isLeast ? "at least" : "at most"} ${counted(limit, noun)}, not ${size}`;
  return report(visit, [keyword], { message });
}

/** Returns the length of a string in code points, as the specification requires; undefined for other values. */
function lengthOf({ value, run }: Visit): number | undefined {
  if (typeof value !== "string") return undefined;
  run.budget.spend(value.length / 8);
  let length = 0;
  for (const _character of value) length += 1;
  return length;
}

function itemsOf({ value }: Visit): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function propertiesOf({ value }: Visit): number | undefined {
  return isJsonObject(value) ? Object.keys(value).length : undefined;
}

function checkPattern(visit: Visit, expected: unknown): boolean {
  const { value, run } = visit;
  if (typeof value !== "string" || typeof expected !== "string") return true;
  if (run.patterns.matches(expected, value, run.budget)) return true;
  return report(visit, ["pattern"], { message: () => `must match the pattern ${shortText(expected)}` });
}

function checkUnique(visit: Visit, expected: unknown): boolean {
  const { value, run } = visit;
  if (expected !== true || !Array.isArray(value)) return true;
  const scalars = new Map<unknown, number>();
  const structures = new Map<string, number>();
  for (const [index, item] of value.entries()) {
    run.budget.spend(1);
    const before = isObject(item)
      ? getOrSet(structures, canonicalText(visit, item), index)
      : getOrSet(scalars, item, index);
    if (before === index) continue;
    const message = () => `must not repeat items: items ${before} and ${index} are equal`;
    return report(visit, ["uniqueItems"], { message });
  }
  return true;
}

function getOrSet<Key>(map: Map<Key, number>, key: Key, value: number): number {
  const known = map.get(key);
  if (known === undefined) map.set(key, value);
  return known ?? value;
}

function checkRequired(visit: Visit, expected: unknown): boolean {
  const { value, run } = visit;
  if (!isJsonObject(value) || !Array.isArray(expected)) return true;
  run.budget.spend(expected.length / 8);
  return reportMissing(visit, value, expected, ["required"]);
}

function checkDependentRequired(visit: Visit, expected: unknown): boolean {
  const { value, run } = visit;
  if (!isJsonObject(value) || !isJsonObject(expected)) return true;
  let fits = true;
  for (const [given, names] of Object.entries(expected)) {
    if (!Object.hasOwn(value, given) || !Array.isArray(names)) continue;
    run.budget.spend(1 + names.length / 8);
    fits = reportMissing(visit, value, names, ["dependentRequired"], given) && fits;
  }
  return fits;
}

/**
 * Reports each missing property.
 *
 * @param because - the property that requires the others.
 */
export function reportMissing(
  visit: Visit,
  value: JsonObject,
  names: readonly unknown[],
  path: KeywordPath,
  because?: string,
): boolean {
  let fits = true;
  for (const name of names) {
    if (typeof name !== "string" || Object.hasOwn(value, name)) continue;
    const reason = because === undefined ? "" : ` when ${shortText(JSON.stringify(because))} is present`;
    const message = () => `must have the property ${shortText(JSON.stringify(name))}${reason}`;
    fits = report(visit, path, { message, missing: { name, ...defined({ because }) } });
  }
  return fits;
}
