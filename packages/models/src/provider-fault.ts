import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import { isJsonObject } from "@yagate/lib/json/json-object";
/** What a provider says went wrong, read from whichever form it says it in. */
export interface ProviderFault {
  readonly message: string | undefined;
  /** HTTP's, where the fault names one itself. */
  readonly status: number | undefined;
  /** Its codes and types, in lower case. */
  readonly words: readonly string[];
  /** How long it asks to be left alone, in ms. */
  readonly retryAfterMs: number | undefined;
}

/**
 * What follows from a fault:
 * - `quota`: the account is empty, and no waiting fills it.
 * - `context`: the conversation is longer than the model takes.
 * - `content`: the provider refuses what the conversation says.
 * - `key`: the key is wrong or may not do this.
 * - `passing`: the same request can succeed later.
 */
export type FaultKind = "quota" | "context" | "content" | "key" | "passing" | "other";

/** Reads the body of an error, or what stands in a stream instead of a piece of the answer. */
export function readFault(value: unknown): ProviderFault | undefined {
  const outer = toRecord(value);
  if (outer === undefined) return undefined;
  const inner = toRecord(outer["error"]);
  const fault = inner ?? outer;
  const message = textOf(fault["message"]) ?? textOf(outer["error"]) ?? textOf(fault["msg"]);
  const isFault = inner !== undefined || typeof outer["error"] === "string" || outer["object"] === "error";
  if (!isFault && (message === undefined || outer["choices"] !== undefined)) return undefined;
  const words = [fault["code"], fault["type"], fault["status"], outer["code"]].flatMap((word) =>
    typeof word === "string" || typeof word === "number" ? [String(word).toLowerCase()] : [],
  );
  const status = words.map(Number).find((word) => Number.isInteger(word) && word >= 400 && word <= 599);
  return { message, status, words, retryAfterMs: retryDelayOf(fault["details"]) };
}

export function kindOfFault(fault: Partial<ProviderFault>, httpStatus?: number): FaultKind {
  const words = fault.words ?? [];
  const says = (pattern: RegExp) => words.some((word) => pattern.test(word));
  const status = httpStatus ?? fault.status;
  if (status === 402 || says(QUOTA)) return "quota";
  if (says(CONTENT)) return "content";
  const mayBeTooLong = status === undefined || status === 400 || status === 413 || status === 422;
  if (says(CONTEXT) || (mayBeTooLong && TOO_LONG.test(fault.message ?? ""))) return "context";
  if (status === 401 || status === 403 || (status === undefined && says(KEY))) return "key";
  if (status === undefined ? says(PASSING) : status === 409 || isRetryableStatus(status)) return "passing";
  return "other";
}

// Z.AI's codes are numbers: 1113 no balance, 1261 too long, 1301 sensitive, 1302 to 1305 and 1312 busy.
const QUOTA = /^(?:insufficient_(?:quota|balance|credits?|user_quota)|billing_.*|arrearage|1113)$/;
const CONTENT =
  /^(?:content_filter|content_policy_violation|data_?inspection_?failed|responsibleaipolicyviolation|1301)$/;
const CONTEXT = /^(?:context_length_exceeded|context_window_exceeded|exceed_context_size_error|1261)$/;
const KEY =
  /^(?:authentication_error|invalid_api_key|invalid_authentication|permission_error|permission_denied|unauthorized)$/;
const PASSING =
  /^(?:rate_limit.*|.*overloaded.*|server_error|api_error|internal.*|service_?unavailable.*|unavailable|timeout.*|resource_exhausted|too_many_requests|engine_.*|130[2-5]|1312)$/;
const TOO_LONG =
  /context (?:length|window|size)|prompt is too long|(?:input|prompt|conversation|request) (?:is )?too (?:long|large)|too many tokens|maximum (?:prompt|number of tokens)|tokens? exceeds?|range of input length/i;

// Gemini says in the body what others say in a header: { "retryDelay": "34.5s" }.
function retryDelayOf(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details) {
    const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(textOf(toRecord(detail)?.["retryDelay"]) ?? "")?.[1];
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1_000);
  }
  return undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isJsonObject(value) ? { ...value } : undefined;
}
