import { isJsonObject, isObject } from "@yagate/lib/json/json-object";
import { type JsonValue, type RestParameter, YagateError } from "@yagate/protocol";
import type { TextBudget } from "../request/request-limits.ts";
import { isFixed, wireNameOf } from "./rest-parameters.ts";

/** Maximum number of nesting levels of a value in a form. */
const MAX_FORM_DEPTH = 10;

/**
 * Encodes a query parameter as `name=value` pairs. A list results in one pair per item, or one pair with commas; an
 * empty list results in none. Errors from the budget are passed on.
 *
 * @param budget - the size that remains for the query or form.
 * @throws YagateError `INVALID_ARGUMENTS` for an object or a list in a list.
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
 * Encodes a form parameter like a query parameter, but members of objects have names in brackets, `address[city]=…`,
 * and objects in a list have an index, `items[0][price]=…`. Errors from the budget are passed on.
 *
 * @param budget - the size that remains for the form.
 * @throws YagateError `INVALID_ARGUMENTS` for null, a list in a list, a name with brackets, or more than 10 levels.
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
      if (/[[\]]/.test(member))
        throw refused(name, "must have member names without [ and ], which are syntax in a form");
      yield* nestedPairs({ key: `${key}[${member}]`, value: inner, depth: depth + 1 }, name, budget);
    }
  }
}

/**
 * Encodes a pair. Each leaf of an object repeats the names of its ancestors, so a small object can result in a long
 * text.
 */
function encodedPair(key: string, value: JsonValue, name: string, budget: TextBudget): string {
  budget.spend(key.length + 1);
  const encoded = `${encodedName(key, name)}=${encodedText(value, name)}`;
  budget.spend(encoded.length - key.length - 1);
  return encoded;
}

function encodedName(key: string, name: string): string {
  const encoded = encodeForUrl(key);
  if (encoded === undefined) throw refused(name, "must have member names of well-formed Unicode");
  return encoded;
}

/** A parameter with its pairs, encoded for a query or a form. */
export interface EncodedParameter {
  readonly parameter: RestParameter;
  readonly pairs: readonly string[];
}

/**
 * Joins all pairs. A pair that would set a fixed field in another way is dropped: if `a[role]` is fixed, the field
 * `role` of an argument `a` is dropped. Fixed fields come first, because some servers read only the first thousand fields.
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

/** A key in a query or form, split at brackets: `a[b][]` is `["a", "b", ""]`. */
type FormKey = readonly string[];

const BRACKETS = /\[([^\]]*)\]/g;

/**
 * Splits a key at its brackets.
 * @param key - the decoded key.
 */
function parseFormKey(key: string): FormKey {
  const start = key.indexOf("[");
  if (start <= 0) return [key];
  return [key.slice(0, start), ...Array.from(key.slice(start).matchAll(BRACKETS), ([, name = ""]) => name)];
}

/** Creates the function that checks whether a key equals a fixed key, contains it or is contained in it. */
function createFixedKeyCheck(fixed: readonly FormKey[]): (key: FormKey) => boolean {
  const roots = fixed.map(withoutListPlaces);
  return (given) => {
    const key = withoutListPlaces(given);
    return roots.some((root) => root.every((name, index) => index >= key.length || key[index] === name));
  };
}

/** Removes list indexes and what follows them. `a[]` appends to the list `a`, so it affects all of `a`. */
function withoutListPlaces(key: FormKey): FormKey {
  const place = key.indexOf("", 1);
  return place === -1 ? key : key.slice(0, place);
}

/**
 * Converts a string, number or boolean to text.
 *
 * @param name - the parameter's name, for the message.
 * @throws YagateError `INVALID_ARGUMENTS` for null, a list or an object.
 */
export function wireText(value: JsonValue, name: string): string {
  if (typeof value === "object") throw refused(name, "must be a string, number or boolean");
  return String(value);
}

/**
 * Converts a string, number or boolean to text that is percent-encoded for any part of a URL or form.
 * @throws YagateError `INVALID_ARGUMENTS`.
 */
export function encodedText(value: JsonValue, name: string): string {
  const encoded = encodeForUrl(wireText(value, name));
  if (encoded === undefined) throw refused(name, "must be well-formed Unicode");
  return encoded;
}

/** Creates an error about one parameter, for the model. */
export function refused(name: string, expectation: string): YagateError {
  return new YagateError(
    "INVALID_ARGUMENTS",
    `no valid request can be built from the arguments: ${name} ${expectation}`,
  );
}

/** Maximum number of times to decode a path. Servers decode it once, and again behind some proxies. */
const MAX_DECODINGS = 3;

/**
 * Checks whether an encoded path segment remains in the path. A URL parser removes `.`, `..` and their encoded forms,
 * and so does a server that decodes a path more than once.
 */
export function isStableSegment(segment: string): boolean {
  let text = segment;
  for (let decoding = 0; decoding <= MAX_DECODINGS; decoding++) {
    if (text === "." || text === "..") return false;
    text = text.replace(/%(2e|25)/gi, (_match, code: string) => (code === "25" ? "%" : "."));
  }
  return true;
}

/**
 * Encodes text as a part of one URL component. Dots are not encoded.
 *
 * @returns undefined for text that is not well-formed Unicode.
 */
function encodeForUrl(text: string): string | undefined {
  return text.isWellFormed() ? encodeURIComponent(text) : undefined;
}
