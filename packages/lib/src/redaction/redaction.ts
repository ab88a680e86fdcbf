import type { JsonValue } from "@yagate/protocol";
import { isObject } from "../json/json-object.ts";
import type { NamedSecret } from "./search/needles.ts";
import { createSecretSearch, type SearchOptions, type SecretSpan } from "./search/secret-search.ts";
import { atOnce, inTurns, type Steps } from "./search/steps.ts";

/** Headers of a response; a list for repeated ones. */
type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Removes secrets from a service's response before it reaches a model, a record or a log. */
export interface Redaction {
  /** Also works on JSON text, which stays valid. Returns the same text if nothing was found. */
  text(text: string): string;
  /**
   * The same for the start of a text: a trailing part that may be the start of a secret, from 4 bytes on, is removed. A
   * text must be redacted before it is cut, because part of a secret can't be recognised.
   */
  cutText(text: string): string;
  /** Like `text` or `cutText`, but yields to the event loop during a long search. */
  body(text: string, options: { readonly isCut: boolean }): Promise<string>;
  /** Values and names. */
  headers(headers: AnswerHeaders): Record<string, string | readonly string[]>;
  /**
   * A copy in which no string, number or key contains a secret, at any depth; URLs are also checked by their normalised
   * host.
   */
  json(value: JsonValue): JsonValue;
}

/**
 * Prepares the redaction of secrets: each one, in any encoding that a leak scan would find, becomes `[redacted:NAME]`,
 * or another mark. Values sent instead of a secret, such as a signed token, must be listed as well. It matches values,
 * not patterns: text that only looks like a secret stays, because tools return such text.
 *
 * @param secrets - values of less than 8 characters are ignored.
 * @param markOf - the replacement by the name of the secret; default `[redacted:NAME]`.
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

  /** A secret that consists of digits may occur as a number. */
  function number(value: number): JsonValue {
    if (!mayBeNumber) return value;
    const written = String(value);
    const left = text(written);
    return left === written ? value : left;
  }

  const text = (whole: string, options?: SearchOptions) => atOnce(steps(whole, options));

  /** A URL's host may contain a secret that its text does not show, because URL parsers normalise it. */
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
        // Header names have been lower-cased.
        text(name, { isCaseless: true }),
        typeof value === "string" ? text(value) : value.map((one) => text(one)),
      ]);
      return Object.fromEntries(redacted);
    },
    json: (value) => (search.isEmpty ? value : withoutSecrets(value, urlOrText, number)),
  };
}

/** @param length - how much of the text is kept. */
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
    // A match that starts inside another one continues it, and needs no mark of its own.
    if (start >= done) pieces.push(bytes.toString("utf8", done, start), markOf(name));
    done = end;
  }
  if (done < length) pieces.push(bytes.toString("utf8", done, length));
  return pieces.join("");
}

type JsonContainer = Extract<JsonValue, object>;

/** Not recursive: a service may return JSON of any depth. */
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
      // Defined, not assigned: a key may be `__proto__`.
      const property = { value: copyOf(item), enumerable: true, writable: true, configurable: true };
      Object.defineProperty(next.to, Array.isArray(next.to) ? key : text(key), property);
    }
  }
  return copy;
}
