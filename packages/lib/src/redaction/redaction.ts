import type { JsonValue } from "@yagate/protocol";
import { isObject } from "../json/json-object.ts";
import type { NamedSecret } from "./search/needles.ts";
import { createSecretSearch, type SearchOptions, type SecretSpan } from "./search/secret-search.ts";
import { atOnce, inTurns, type Steps } from "./search/steps.ts";

/** Headers of an answer; a list where one came more than once. */
type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Takes secrets out of what a service answers, before a model, a record or a log gets to see it. */
export interface Redaction {
  /** Also of a text that is JSON: what is left has its form still. The same text where nothing was found. */
  text(text: string): string;
  /**
   * The same for the beginning of a text: an end that may be the beginning of a secret, from 4 bytes on, is left out. A
   * text has to be redacted before anything is cut off it, or what is left of a secret is not known for one.
   */
  cutText(text: string): string;
  /** As `text` or `cutText`, letting others have their turn while a large text is searched. */
  body(text: string, options: { readonly isCut: boolean }): Promise<string>;
  /** Values and names. */
  headers(headers: AnswerHeaders): Record<string, string | readonly string[]>;
  /** A copy in which no string, no number and no key holds a secret, however deep; of URLs also the host as it is sent. */
  json(value: JsonValue): JsonValue;
}

/**
 * Prepares the redaction of some secrets: each, in whatever encoding a leak scan would find it, becomes
 * `[redacted:NAME]`, or another mark. Whatever was sent in the place of a secret, such as a signed token, has to be named too.
 *
 * It knows values, not shapes: what merely looks like a secret stays, since tools answer with such texts.
 *
 * @param secrets - values of less than 8 characters are not looked for.
 * @param markOf - what stands in the place of a secret of this name; default `[redacted:NAME]`.
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

  /** A secret of digits alone may be written as a number. */
  function number(value: number): JsonValue {
    if (!mayBeNumber) return value;
    const written = String(value);
    const left = text(written);
    return left === written ? value : left;
  }

  const text = (whole: string, options?: SearchOptions) => atOnce(steps(whole, options));

  /** A URL's host may hold a secret that its text does not show: URL parsers rewrite it. */
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
        // Names have lost their case on the way.
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
    // One that begins inside another is its continuation, and needs no mark of its own.
    if (start >= done) pieces.push(bytes.toString("utf8", done, start), markOf(name));
    done = end;
  }
  if (done < length) pieces.push(bytes.toString("utf8", done, length));
  return pieces.join("");
}

type JsonContainer = Extract<JsonValue, object>;

/** Without recursion: a service may answer with JSON of any depth. */
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
      // Defined, not set: a key may be `__proto__`.
      const property = { value: copyOf(item), enumerable: true, writable: true, configurable: true };
      Object.defineProperty(next.to, Array.isArray(next.to) ? key : text(key), property);
    }
  }
  return copy;
}
