import type { JsonValue, RestParameter } from "@yagate/protocol";
import { encodeForUrl } from "../http/path-segment.ts";
import { wireNameOf } from "./rest-parameters.ts";
import { encodedText, refused } from "./wire-text.ts";

/** Nesting of a value in a form. */
const MAX_FORM_DEPTH = 10;

/**
 * A parameter of the query as `name=value` pairs, encoded. A list is one pair for each item, or one with commas; an
 * empty one is none.
 *
 * @throws YagateError `INVALID_ARGUMENTS` for an object, and for a list in a list.
 */
export function queryPairs(parameter: RestParameter, value: JsonValue): readonly string[] {
  const { name } = parameter;
  const key = encodedName(wireNameOf(parameter), name);
  if (!Array.isArray(value)) return [`${key}=${encodedText(value, name)}`];
  const texts = value.map((item) => encodedText(item, name));
  if (parameter.arrayFormat === "comma") return texts.length === 0 ? [] : [`${key}=${texts.join(",")}`];
  return texts.map((text) => `${key}=${text}`);
}

/**
 * A parameter of a form. As in the query, but members of objects have their names in brackets, `address[city]=…`, and
 * objects in a list their index before, `items[0][price]=…`.
 *
 * @throws YagateError `INVALID_ARGUMENTS` for null, a list in a list, and more than 10 levels.
 */
export function formPairs(parameter: RestParameter, value: JsonValue): readonly string[] {
  if (parameter.arrayFormat === "comma" && Array.isArray(value)) return queryPairs(parameter, value);
  return [...nestedPairs(wireNameOf(parameter), value, parameter.name, 1)];
}

function* nestedPairs(key: string, value: JsonValue, name: string, depth: number): Iterable<string> {
  if (depth > MAX_FORM_DEPTH) throw refused(name, `must nest at most ${MAX_FORM_DEPTH} levels deep`);
  if (typeof value !== "object" || value === null) {
    yield `${encodedName(key, name)}=${encodedText(value, name)}`;
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const isObject = typeof item === "object" && item !== null && !Array.isArray(item);
      if (isObject) yield* nestedPairs(`${key}[${index}]`, item, name, depth + 1);
      else yield `${encodedName(key, name)}=${encodedText(item, name)}`;
    }
  } else {
    for (const [member, inner] of Object.entries(value)) {
      yield* nestedPairs(`${key}[${member}]`, inner, name, depth + 1);
    }
  }
}

function encodedName(key: string, name: string): string {
  const encoded = encodeForUrl(key);
  if (encoded === undefined) throw refused(name, "must have names of well-formed Unicode");
  return encoded;
}
