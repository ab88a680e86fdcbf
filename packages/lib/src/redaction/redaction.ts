import type { JsonValue } from "@yagate/protocol";
import { isObject } from "../json/json-object.ts";
import type { NamedSecret } from "./search/needles.ts";
import { createSecretSearch, type SearchOptions, type SecretSpan } from "./search/secret-search.ts";
import { atOnce, inTurns, type Steps } from "./search/steps.ts";

/** Headers of a response; a repeated header has a list of values. */
type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Removes secrets from a service's response before it reaches a model, a record or a log. */
export interface Redaction {
  /** Redacts a text. JSON text stays valid JSON. Returns the same text if it contains no secret. */
  text(text: string): string;
  /**
   * Does the same as `text` for the start of a longer text, and also removes the end if it may be the start of a secret
   * (4 bytes or more). Redact a text before you cut it, because part of a secret can't be recognised.
   */
  cutText(text: string): string;
  /** Does the same as `text` or `cutText`, but yields to the event loop during a long search. */
  body(text: string, options: { readonly isCut: boolean }): Promise<string>;
  /** Redacts the values and names of headers. */
  headers(headers: AnswerHeaders): Record<string, string | readonly string[]>;
  /**
   * Returns a copy in which no string, number or key at any depth contains a secret. The normalised host of each URL is
   * checked as well.
   */
  json(value: JsonValue): JsonValue;
}

/**
 * Prepares the redaction of secrets. Each secret, in any encoding that a leak scan finds, is replaced with
 * `[redacted:NAME]` or another mark. Values that are sent in place of a secret, such as a signed token, must be listed
 * as well. Only the given values are searched for, not patterns: text that only looks like a secret is kept, because
 * tools legitimately return such text.
 *
 * @param secrets - values with fewer than 8 characters are ignored.
 * @param markOf - returns the mark for a secret's name. Default: `[redacted:NAME]`.
 */
export function createRedaction(
  secrets: readonly NamedSecret[],
  markOf: (name: string) => string = (name) => `[redacted:${name}]`,
): Redaction {
  const search = createSecretSearch(secrets);
  const mayBeNumber = secrets.some(({ value }) => Number.isFinite(Number(value)));

  function* steps(whole: string, options: SearchOptions & { readonly isCut?: boolean } = {}): Steps<string> {
    if (search.isEmpty) return whole;
    const found = yield* search.first(whole, options);
    if (found === undefined && options.isCut !== true) return whole;
    const bytes = Buffer.from(whole, "utf8");
    const end = options.isCut === true ? yield* search.beginningAtEnd(bytes) : bytes.length;
    return withoutSpans(bytes, found === undefined ? [] : yield* search.spans(bytes, options), { length: end, markOf });
  }

  /** Redacts a number, because a secret that consists of digits may appear as a number. */
  function number(value: number): JsonValue {
    if (!mayBeNumber) return value;
    const written = String(value);
    const left = text(written);
    return left === written ? value : left;
  }

  const text = (whole: string, options?: SearchOptions) => atOnce(steps(whole, options));

  /**
   * Redacts a text that may be a URL. URL parsers normalise the host, so the host may contain a secret that is not
   * visible in the text.
   */
  function urlOrText(whole: string): string {
    const left = text(whole);
    const url = /^[\0-\x20]*https?:/i.test(left) ? URL.parse(left) : null;
    const name = url === null ? undefined : atOnce(search.first(url.hostname, { isCaseless: true }));
    if (url === null || name === undefined) return left;
    return `${url.protocol}//${markOf(name)}${url.port === "" ? "" : `:${url.port}`}${url.pathname}${url.search}${url.hash}`;
  }

  return {
    text: (whole) => text(whole),
    cutText: (whole) => atOnce(steps(whole, { isCut: true })),
    body: (whole, { isCut }) => inTurns(steps(whole, { isCut })),
    headers(headers) {
      const redacted = Object.entries(headers).map(([name, value]) => [
        // Header names are already in lower case.
        text(name, { isCaseless: true }),
        typeof value === "string" ? text(value) : value.map((one) => text(one)),
      ]);
      return Object.fromEntries(redacted);
    },
    json: (value) => (search.isEmpty ? value : withoutSecrets(value, urlOrText, number)),
  };
}

/**
 * Replaces the spans with their marks.
 *
 * @param length - how many bytes of the text to keep.
 */
function withoutSpans(
  bytes: Buffer,
  spans: readonly SecretSpan[],
  { length, markOf }: { readonly length: number; readonly markOf: (name: string) => string },
): string {
  const inOrder = spans.filter(({ start }) => start < length).toSorted((a, b) => a.start - b.start || b.end - a.end);
  const pieces: string[] = [];
  let done = 0;
  for (const { name, start, end } of inOrder) {
    if (end <= done) continue;
    // A match that starts inside another one extends it, so it needs no separate mark.
    if (start >= done) pieces.push(bytes.toString("utf8", done, start), markOf(name));
    done = end;
  }
  if (done < length) pieces.push(bytes.toString("utf8", done, length));
  return pieces.join("");
}

type JsonContainer = Extract<JsonValue, object>;

/**
 * Copies a value without its secrets. The function is not recursive, because a service may return JSON of any depth.
 */
function withoutSecrets(
  value: JsonValue,
  text: (text: string) => string,
  number: (value: number) => JsonValue,
): JsonValue {
  const open: { readonly from: JsonContainer; readonly to: JsonContainer }[] = [];
  function copyOf(item: JsonValue): JsonValue {
    if (typeof item === "string") return text(item);
    if (typeof item === "number") return number(item);
    if (!isObject(item)) return item;
    const to: JsonContainer = Array.isArray(item) ? [] : {};
    open.push({ from: item, to });
    return to;
  }

  const copy = copyOf(value);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [key, item] of Object.entries(next.from)) {
      // The member is defined and not assigned, because its key may be `__proto__`.
      const property = { value: copyOf(item), enumerable: true, writable: true, configurable: true };
      Object.defineProperty(next.to, Array.isArray(next.to) ? key : text(key), property);
    }
  }
  return copy;
}
