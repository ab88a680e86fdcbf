import { isJsonObject, isObject } from "@yagate/lib/json/json-object";
import type { JsonValue, RestParameter } from "@yagate/protocol";
import type { TextBudget } from "../request/text-budget.ts";
import { encodeForUrl } from "./path-segment.ts";
import { isFixed, wireNameOf } from "./rest-parameters.ts";
import { encodedText, refused } from "./wire-text.ts";

/** Nesting of a value in a form. */
const MAX_FORM_DEPTH = 10;

/**
 * A parameter of the query as `name=value` pairs, encoded. A list is one pair for each item, or one with commas; an
 * empty one is none.
 *
 * @param budget - what the whole query, or form, may still weigh.
 * @throws YagateError `INVALID_ARGUMENTS` for an object, for a list in a list, and for more than the budget.
 */
export function queryPairs(parameter: RestParameter, value: JsonValue, budget: TextBudget): readonly string[] {
  const { name, arrayFormat } = parameter;
  const key = wireNameOf(parameter);
  if (!Array.isArray(value)) return [encodedPair(key, value, name, budget)];
  if (arrayFormat !== "comma") return value.map((item) => encodedPair(key, item, name, budget));
  budget.spend(key.length + 1);
  const texts = value.map((item) => {
    const text = encodedText(item, name);
    budget.spend(text.length + 1);
    return text;
  });
  return texts.length === 0 ? [] : [`${encodedName(key, name)}=${texts.join(",")}`];
}

/**
 * A parameter of a form. As in the query, but members of objects have their names in brackets, `address[city]=…`, and
 * objects in a list their index before, `items[0][price]=…`.
 *
 * @param budget - what the whole form may still weigh.
 * @throws YagateError `INVALID_ARGUMENTS` for null, a list in a list, a name with brackets, more than 10 levels, and more
 *   than the budget.
 */
export function formPairs(parameter: RestParameter, value: JsonValue, budget: TextBudget): readonly string[] {
  if (parameter.arrayFormat === "comma" && Array.isArray(value)) return queryPairs(parameter, value, budget);
  return [...nestedPairs({ key: wireNameOf(parameter), value, depth: 1 }, parameter.name, budget)];
}

interface Nested {
  readonly key: string;
  readonly value: JsonValue;
  readonly depth: number;
}

function* nestedPairs({ key, value, depth }: Nested, name: string, budget: TextBudget): Iterable<string> {
  if (depth > MAX_FORM_DEPTH) throw refused(name, `must nest at most ${MAX_FORM_DEPTH} levels deep`);
  if (!isObject(value)) {
    yield encodedPair(key, value, name, budget);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const isObject = isJsonObject(item);
      if (isObject) yield* nestedPairs({ key: `${key}[${index}]`, value: item, depth: depth + 1 }, name, budget);
      else yield encodedPair(key, item, name, budget);
    }
  } else {
    for (const [member, inner] of Object.entries(value)) {
      if (/[[\]]/.test(member)) throw refused(name, "must have names without [ and ], which mean something in a form");
      yield* nestedPairs({ key: `${key}[${member}]`, value: inner, depth: depth + 1 }, name, budget);
    }
  }
}

/** Every leaf of an object repeats the names of all that it lies in, so that a small object can make a large text. */
function encodedPair(key: string, value: JsonValue, name: string, budget: TextBudget): string {
  budget.spend(key.length + 1);
  const encoded = `${encodedName(key, name)}=${encodedText(value, name)}`;
  budget.spend(encoded.length - key.length - 1);
  return encoded;
}

function encodedName(key: string, name: string): string {
  const encoded = encodeForUrl(key);
  if (encoded === undefined) throw refused(name, "must have names of well-formed Unicode");
  return encoded;
}

/** One parameter, written down for a query or a form. */
export interface EncodedParameter {
  readonly parameter: RestParameter;
  readonly pairs: readonly string[];
}

/**
 * What the model gives may say something about a fixed field in other words, as an object `a` about `a[role]`, which then
 * stands alone. Fixed fields come first: some servers read no more than the first thousand.
 */
export function joinPairs(encoded: readonly EncodedParameter[]): string {
  const fixed = encoded.filter(({ parameter }) => isFixed(parameter));
  const isAboutFixed = createFixedKeyCheck(fixed.map(({ parameter }) => parseFormKey(wireNameOf(parameter))));
  const chosen = encoded.filter(({ parameter }) => !isFixed(parameter)).flatMap(({ pairs }) => pairs);
  const others = fixed.length === 0 ? chosen : chosen.filter((pair) => !isAboutFixed(parseFormKey(keyOf(pair))));
  return [...fixed.flatMap(({ pairs }) => pairs), ...others].join("&");
}

function keyOf(pair: string): string {
  return decodeURIComponent(pair.slice(0, pair.indexOf("=")));
}

/** A key of a query or form as those read it who take brackets for structure: `a[b][]` is `["a", "b", ""]`. */
type FormKey = readonly string[];

const BRACKETS = /\[([^\]]*)\]/g;

/** @param key - decoded. */
function parseFormKey(key: string): FormKey {
  const start = key.indexOf("[");
  if (start <= 0) return [key];
  return [key.slice(0, start), ...Array.from(key.slice(start).matchAll(BRACKETS), ([, name = ""]) => name)];
}

/** Makes the check whether a key has a part in what one of the fixed ones says: it is the same, above it or below it. */
function createFixedKeyCheck(fixed: readonly FormKey[]): (key: FormKey) => boolean {
  const roots = fixed.map(withoutListPlaces);
  return (given) => {
    const key = withoutListPlaces(given);
    return roots.some((root) => root.every((name, index) => index >= key.length || key[index] === name));
  };
}

/** `a[]` is the next place of the list `a`, so that it says something about all of `a`. */
function withoutListPlaces(key: FormKey): FormKey {
  const place = key.indexOf("", 1);
  return place === -1 ? key : key.slice(0, place);
}
