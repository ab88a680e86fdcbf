import type { LanguageModelV4Source } from "@ai-sdk/provider";
import { isJsonObject, isObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import { beginningOf, cutText } from "@yagate/lib/text/cut-text";
import type { HostedCall, JsonValue, Source } from "@yagate/protocol";
import type { AssistantPart } from "../port.ts";
import { toRecord } from "./record.ts";

/**
 * Converts the provider-run calls in a reply for the record, each with its input and result.
 *
 * @param ownName - maps the provider's name for a tool to the agent's name.
 */
export function toHostedCalls(
  parts: readonly AssistantPart[],
  ownName: (providerName: string) => string,
): readonly HostedCall[] {
  if (!parts.some(({ type }) => type === "hosted_call" || type === "hosted_result")) return [];
  const results = new Map(
    parts.flatMap((part) => (part.type === "hosted_result" ? [[part.providerCallId, part] as const] : [])),
  );
  const called = new Set<string>();
  const calls = parts.flatMap((part): HostedCall[] => {
    if (part.type !== "hosted_call") return [];
    called.add(part.providerCallId);
    return [toHostedCall(part.providerCallId, ownName(part.name), part.input, results.get(part.providerCallId))];
  });
  // A result whose call is in an earlier turn.
  const late = [...results.values()].filter(({ providerCallId }) => !called.has(providerCallId));
  return [...calls, ...late.map((result) => toHostedCall(result.providerCallId, ownName(result.name), null, result))];
}

function toHostedCall(
  id: string,
  name: string,
  input: JsonValue,
  result: { readonly output: JsonValue; readonly isError: boolean } | undefined,
): HostedCall {
  const asked = shorten(input);
  const call = { id, name, input: asked.value };
  const cut = { isTruncated: true };
  if (result === undefined) return { ...call, status: "pending", ...(asked.isShortened ? cut : {}) };
  const output = shorten(result.output);
  const isCut = asked.isShortened || output.isShortened;
  const hasFailed = result.isError || isReportedError(result.output);
  return { ...call, status: hasFailed ? "failed" : "completed", output: output.value, ...(isCut ? cut : {}) };
}

/** Anthropic's sandbox reports that a command could not run as a result of its own type, which the AI SDK passes on. */
function isReportedError(output: JsonValue): boolean {
  const type = isJsonObject(output) ? output["type"] : undefined;
  return typeof type === "string" && type.endsWith("_tool_result_error");
}

const MAX_TEXT = 500;
const MAX_ENTRIES = 50;
const MAX_DEPTH = 6;
/** Maximum number of characters in the strings and keys of one value. */
const MAX_CHARACTERS = 16_000;

/** Shortens a value for display: long strings (usually encrypted content or images), long lists and deep nesting. */
function shorten(value: JsonValue): { readonly value: JsonValue; readonly isShortened: boolean } {
  const budget = { characters: MAX_CHARACTERS, isShortened: false };
  return { value: cut(value, 0, budget), isShortened: budget.isShortened };
}

interface Budget {
  characters: number;
  isShortened: boolean;
}

function cut(value: JsonValue, depth: number, budget: Budget): JsonValue {
  if (typeof value === "string") return cutWithin(value, budget);
  if (!isObject(value)) return value;
  if (depth === MAX_DEPTH) {
    budget.isShortened = true;
    return null;
  }
  if (Array.isArray(value)) return few(value, budget).map((entry) => cut(entry, depth + 1, budget));
  return Object.fromEntries(
    few(Object.entries(value), budget).map(([key, entry]) => [cutWithin(key, budget), cut(entry, depth + 1, budget)]),
  );
}

function few<Entry>(entries: readonly Entry[], budget: Budget): Entry[] {
  if (entries.length > MAX_ENTRIES) budget.isShortened = true;
  return entries.slice(0, MAX_ENTRIES);
}

function cutWithin(text: string, budget: Budget): string {
  const length = Math.max(0, Math.min(MAX_TEXT, budget.characters));
  budget.characters -= Math.min(text.length, length);
  if (text.length <= length) return text;
  budget.isShortened = true;
  return cutText(text, length + 1).toWellFormed();
}

const MAX_SOURCES = 100;
const MAX_URL_CHARACTERS = 2_048;
const MAX_TITLE_CHARACTERS = 300;

/** Returns the distinct sources that a provider cites: the first 100, in order. */
export function toSources(parts: readonly LanguageModelV4Source[]): readonly Source[] {
  if (parts.length === 0) return [];
  const sources = new Map<string, Source>();
  for (const part of parts) {
    if (sources.size === MAX_SOURCES) break;
    const source = toSource(part);
    const key = source.url ?? source.title;
    if (key !== undefined && !sources.has(key)) sources.set(key, source);
  }
  return [...sources.values()];
}

function toSource(part: LanguageModelV4Source): Source {
  const title = part.title === undefined ? undefined : beginningOf(part.title, MAX_TITLE_CHARACTERS).toWellFormed();
  const url = part.sourceType === "url" && isWebAddress(part.url) ? part.url : undefined;
  return { ...defined({ url }), ...(title === undefined || title === "" ? {} : { title }) };
}

// User interfaces link to the URL, so it must not be a script.
function isWebAddress(text: string): boolean {
  return text.length <= MAX_URL_CHARACTERS && /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

/**
 * Reads the queries of Gemini's web search. All models report the queries in the metadata of the reply; only newer
 * models also return them as parts.
 *
 * @param metadata - the provider metadata of a complete reply.
 */
export function groundingQueries(metadata: unknown): readonly string[] {
  const google = toRecord(toRecord(metadata)?.["google"]);
  if (google === undefined) return [];
  const perRequest = google["groundingMetadataPerRequest"];
  const all: readonly unknown[] = Array.isArray(perRequest) ? perRequest : [google["groundingMetadata"]];
  return all.flatMap((grounding) => {
    const queries = toRecord(grounding)?.["webSearchQueries"];
    return Array.isArray(queries) ? queries.filter((query) => typeof query === "string") : [];
  });
}

/** Creates the parts that record Gemini's web search, for a reply that does not contain them. */
export function toGroundingParts(queries: readonly string[]): readonly AssistantPart[] {
  if (queries.length === 0) return [];
  const place = { providerCallId: "grounding", name: "web_search" } as const;
  return [
    { type: "hosted_call", ...place, input: { queries: [...queries] } },
    { type: "hosted_result", ...place, output: null, isError: false },
  ];
}
