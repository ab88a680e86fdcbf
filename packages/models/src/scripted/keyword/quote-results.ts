import { isJsonObject } from "@yagate/lib/json/json-object";
import { cutText } from "@yagate/lib/text/cut-text";
/** One completed call in the conversation. */
export interface AnsweredCall {
  readonly name: string;
  readonly isError: boolean;
  /** JSON, unless it was shortened. */
  readonly text: string;
}

const FRAME = /^<tool_response[^>]*>\n([\s\S]*)\n<\/tool_response[^>]*>$/;
const MAX_VALUES = 40;
const MAX_VALUE_LENGTH = 300;
const MAX_SOURCES = 3;
const MAX_QUOTE_LENGTH = 400;

/** Quotes the tool results verbatim. */
export function quoteResults(calls: readonly AnsweredCall[]): string {
  return calls.map(quote).join("\n");
}

function quote({ name, isError, text }: AnsweredCall): string {
  const value = parse(FRAME.exec(text)?.[1] ?? text);
  if (!isError) return quoteSources(name, value) ?? `${name} returned ${withPeriod(flatten(value))}`;
  const error = isJsonObject(value) && isJsonObject(value["error"]) ? value["error"] : value;
  const { code, message } = isJsonObject(error) ? error : {};
  const reason = typeof message === "string" && message !== "" ? message : flatten(value);
  return `${name} failed${typeof code === "string" ? ` (${code})` : ""}: ${withPeriod(reason)}`;
}

/** Quotes a search result with the ids of its sources; `undefined` for any other result. */
function quoteSources(name: string, value: unknown): string | undefined {
  if (!isJsonObject(value) || value["source_untrusted"] !== true || !Array.isArray(value["results"])) return undefined;
  const sources = value["results"].filter(isJsonObject).slice(0, MAX_SOURCES);
  if (sources.length === 0) return `${name} found nothing.`;
  const quotes = sources.map((source) => `“${beginningOf(quotableOf(source))}” [${source["id"]}]`);
  const list = sources.map(({ id, title, url }) => `[${id}] ${title ?? url}, ${url}`);
  return [`${name} found, verbatim:`, ...quotes, "", "Sources:", ...list].join("\n");
}

function quotableOf({ claims, snippet }: Readonly<Record<string, unknown>>): string {
  const first: unknown = Array.isArray(claims) ? claims[0] : undefined;
  return String((isJsonObject(first) ? first["text"] : undefined) ?? snippet ?? "").trim();
}

/** Cuts a text at the end of a word. */
function beginningOf(text: string): string {
  return text.length <= MAX_QUOTE_LENGTH ? text : text.slice(0, MAX_QUOTE_LENGTH).replace(/\s+\S*$/, "");
}

/** Formats a value as one line, such as `status: shipped; address.city: Berlin; items[0].sku: A-1`. */
function flatten(value: unknown): string {
  const pairs = [...leaves(value, "")].map(([path, text]) => (path === "" ? text : `${path}: ${text}`));
  const shown = pairs.slice(0, MAX_VALUES).join("; ");
  return pairs.length > MAX_VALUES ? `${shown}; and ${pairs.length - MAX_VALUES} more values` : shown;
}

function* leaves(value: unknown, path: string): Generator<readonly [path: string, text: string]> {
  if (Array.isArray(value) && value.some((member) => isJsonObject(member))) {
    for (const [index, member] of value.entries()) yield* leaves(member, `${path}[${index}]`);
  } else if (isJsonObject(value) && Object.keys(value).length > 0) {
    for (const [key, member] of Object.entries(value)) yield* leaves(member, path === "" ? key : `${path}.${key}`);
  } else {
    yield [path, toText(value)];
  }
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : cut(value.join(", "));
  return value === null || isJsonObject(value) ? "nothing" : cut(String(value));
}

function cut(text: string): string {
  return cutText(text, MAX_VALUE_LENGTH + 1);
}

function withPeriod(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
