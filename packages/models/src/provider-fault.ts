import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import { toRecord } from "./hosted/record.ts";

/** An error reported by a provider, in any of the known forms. */
export interface ProviderFault {
  readonly message: string | undefined;
  /** The HTTP status, if the body itself contains one. */
  readonly status: number | undefined;
  /** The error's codes and types, in lower case. */
  readonly words: readonly string[];
  /** The delay that the provider requests, in ms. */
  readonly retryAfterMs: number | undefined;
}

/**
 * The class of a fault:
 * - `quota`: the account has no credit; waiting does not help.
 * - `context`: the conversation exceeds the model's context.
 * - `content`: the provider rejects the content of the conversation.
 * - `key`: the key is invalid or lacks a permission.
 * - `passing`: the same request may succeed later.
 */
export type FaultKind = "quota" | "context" | "content" | "key" | "passing" | "other";

/** Parses the body of an error, or an error in a stream. */
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

// Z.AI uses numeric codes: 1113 no balance, 1261 too long, 1301 sensitive, 1302 to 1305 and 1312 busy.
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

// Gemini puts the delay into the body, not into a header: { "retryDelay": "34.5s" }.
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
