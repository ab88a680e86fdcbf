import {
  AISDKError,
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  TypeValidationError,
} from "@ai-sdk/provider";
import { EgressError } from "@yagate/egress";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { defined } from "@yagate/lib/objects/defined";
import type { Redaction } from "@yagate/lib/redaction/redaction";
import type { SecretMask } from "@yagate/lib/redaction/secret-mask";
import { cutText } from "@yagate/lib/text/cut-text";
import { ERROR_TABLE, YagateError } from "@yagate/protocol";
import { StreamProviderError } from "ai";
import { ModelTurnError, type UnreachableProvider } from "./port.ts";
import { providerDelayMs } from "./provider-delay.ts";
import { kindOfFault, type ProviderFault, readFault } from "./provider-fault.ts";
import { causes, unreadableReason } from "./unreadable-reason.ts";

const MAX_PROVIDER_MESSAGE_LENGTH = 500;

/** Whose error it is. */
export interface ErrorSource {
  /** What it is called here. */
  readonly provider: string;
  /** Takes the key out of whatever the provider says; undefined where it is called without one. */
  readonly redaction?: Pick<Redaction, "text" | "cutText">;
  /** The same for what its models say. */
  readonly mask?: SecretMask;
  /** What to do where the key was refused. */
  readonly keyAdvice?: string;
  /** Of its base URL, where whoever runs the gateway chose it. */
  readonly origin?: string;
  /** ms since the epoch. */
  readonly now: () => number;
}

/**
 * Tells an error of a model provider in our words. `undefined`: it is none, so something here is broken.
 *
 * Retryable are 408, 409, 425, 429, 5xx, the same said inside of a stream, and what the network did. The message never holds
 * a key; it quotes at most 500 characters of the provider's, and nothing of it where the key was refused.
 */
export function toModelTurnError(error: unknown, source: ErrorSource): ModelTurnError | undefined {
  const told = causes(error).find((cause) => cause instanceof ModelTurnError);
  if (told !== undefined) return told;
  const guarded = causes(error).find(YagateError.is);
  if (guarded !== undefined) return toUnreachable(guarded, source);
  if (isCutOff(error)) return toCutOff(error, source);
  if (APICallError.isInstance(error)) return toRefusedCall(error, source);
  if (StreamProviderError.isInstance(error)) return toBrokenOff(error, source);
  if (isConnectionError(error)) return toDropped(error, source);
  if (isBadAnswer(error)) return toUnreadable(error, source, faultBehind(error));
  return undefined;
}

/** Whether the provider had begun to answer a request that came to this: what it answered cannot be used, and costs. */
export function isUnusableAnswer(error: unknown): boolean {
  return causes(error).some(
    (cause) =>
      cause instanceof ModelTurnError ||
      (APICallError.isInstance(cause) && cause.statusCode !== undefined && cause.statusCode < 300) ||
      isBadAnswer(cause),
  );
}

/** An error that a provider put into its stream, whatever its shape. */
export function toStreamError(error: unknown, source: ErrorSource): ModelTurnError {
  return toModelTurnError(error, source) ?? toUnreadable(error, source, readFault(error));
}

function toUnreachable(error: YagateError, source: ErrorSource): ModelTurnError {
  const isRetryable = error instanceof EgressError ? error.isTemporary : ERROR_TABLE[error.code].isTransient;
  const { provider, origin } = source;
  const what = `${provider} could not be reached (${error.code})`;
  if (origin === undefined || !(error instanceof EgressError)) {
    return failure(`${what}: ${error.message}`, error, { isRetryable });
  }
  const { code, reason, message, bytesMayHaveLeft } = error;
  const isSilent = code === "NETWORK_ERROR" && !bytesMayHaveLeft;
  const advice = `is the server of provider ${provider} running? the gateway's log says what failed`;
  const unreachable = { provider, origin, code, reason };
  return failure(`${what}: ${isSilent ? advice : message}`, error, { isRetryable, unreachable });
}

function toRefusedCall(error: APICallError, source: ErrorSource): ModelTurnError {
  const { statusCode } = error;
  const isAccepted = statusCode !== undefined && statusCode < 300;
  if (statusCode === undefined || (isAccepted && isConnectionError(error))) return toDropped(error, source);
  const fault = readFault(parseJsonOrUndefined(error.responseBody));
  if (isAccepted) return toUnreadable(error, source, fault);
  const retryAfterMs = providerDelayMs(error.responseHeaders ?? {}, source.now()) ?? fault?.retryAfterMs;
  return toFailure(`${source.provider} answered HTTP ${statusCode}`, error, source, {
    message: fault?.message ?? error.message,
    status: statusCode,
    words: fault?.words ?? [],
    retryAfterMs,
  });
}

/** What the AI SDK recognised as an error inside of a stream. */
function toBrokenOff(error: StreamProviderError, source: ErrorSource): ModelTurnError {
  const { message, statusCode: status, isRetryable } = error;
  const fault = readFault(error.data);
  const words = [...(fault?.words ?? []), ...(isRetryable ? ["server_error"] : [])];
  return toFailure(`${source.provider} broke off its answer`, error, source, {
    message,
    status,
    words,
    retryAfterMs: fault?.retryAfterMs,
  });
}

/** An answer that is none, but may say why. */
function toUnreadable(error: unknown, source: ErrorSource, fault: ProviderFault | undefined): ModelTurnError {
  return fault === undefined
    ? failure(`${source.provider} sent an answer that could not be read`, error, {
        developerMessage: unreadableReason(error),
      })
    : toFailure(`${source.provider} reported an error in its answer`, error, source, fault);
}

function toFailure(what: string, cause: unknown, source: ErrorSource, fault: ProviderFault): ModelTurnError {
  const { status, message, retryAfterMs } = fault;
  const quoted = message === undefined ? what : `${what}: ${quote(message, source)}`;
  switch (kindOfFault(fault, status)) {
    case "key": {
      const advice = source.keyAdvice === undefined ? "" : `; ${source.keyAdvice}`;
      const http = status === undefined ? "" : ` (HTTP ${status})`;
      return failure(`${source.provider} refused the API key${http}${advice}`, cause);
    }
    case "quota":
      return failure(`the account at ${source.provider} has no credit left: ${quoted}`, cause);
    case "context":
      return failure(`the conversation is too long for the model: ${quoted}`, cause);
    case "content":
      return failure(`${source.provider} refuses what the conversation says: ${quoted}`, cause);
    case "passing":
      return failure(quoted, cause, { isRetryable: true, ...defined({ retryAfterMs }) });
    case "other":
      return failure(quoted, cause);
  }
}

function toCutOff(error: unknown, source: ErrorSource): ModelTurnError {
  return failure(`the answer of ${source.provider} broke off`, error, {
    isRetryable: true,
    developerMessage: unreadableReason(error),
  });
}

function toDropped(error: unknown, source: ErrorSource): ModelTurnError {
  return failure(`the connection to ${source.provider} failed`, error, { isRetryable: true });
}

function failure(
  message: string,
  cause: unknown,
  options: {
    readonly isRetryable?: boolean;
    readonly retryAfterMs?: number;
    readonly unreachable?: UnreachableProvider;
    readonly developerMessage?: string;
  } = {},
): ModelTurnError {
  return new ModelTurnError("MODEL_ERROR", message, { ...options, cause });
}

function quote(text: string, { redaction }: ErrorSource): string {
  // Before anything is cut off: what is left of a key could not be told from other text. The body of the answer may have
  // been cut already.
  const safe = redaction === undefined ? text : redaction.cutText(text);
  const line = safe.replace(/\s+/g, " ").trim();
  return cutText(line, MAX_PROVIDER_MESSAGE_LENGTH + 1);
}

/** Whether the network broke off what was on its way. */
export function isConnectionError(error: unknown): boolean {
  return causes(error).some(
    (cause) =>
      cause instanceof Error &&
      (/^(?:terminated|fetch failed)$/.test(cause.message) ||
        ("code" in cause && /^(?:UND_ERR_|ECONN|EPIPE|ETIMEDOUT|EAI_|ENOTFOUND)/.test(String(cause.code)))),
  );
}

/** A stream that ended without saying why, as a provider of the AI SDK puts it, or JSON that ends too early. */
function isCutOff(error: unknown): boolean {
  if (InvalidResponseDataError.isInstance(error) && error.data === undefined) return true;
  const parsing = causes(error).find((cause) => JSONParseError.isInstance(cause));
  return (
    parsing !== undefined &&
    causes(parsing).some((cause) => cause instanceof SyntaxError && isEarlyEnd(cause, parsing.text))
  );
}

function isEarlyEnd({ message }: SyntaxError, text: string): boolean {
  return text.trim() !== "" && /^(?:Unexpected end of JSON input|Unterminated string)/.test(message);
}

const BAD_ANSWER_NAMES = new Set([
  "AI_DownloadError",
  "AI_EmptyResponseBodyError",
  "AI_InvalidResponseDataError",
  "AI_JSONParseError",
  "AI_NoContentGeneratedError",
  "AI_NoOutputGeneratedError",
  "AI_TypeValidationError",
]);

function isBadAnswer(error: unknown): boolean {
  return AISDKError.isInstance(error) && BAD_ANSWER_NAMES.has(error.name);
}

/** Some providers of the AI SDK know no errors inside of an answer: such a piece only fails their schema. */
function faultBehind(error: unknown): ProviderFault | undefined {
  const failed = causes(error).find((cause) => TypeValidationError.isInstance(cause));
  return failed === undefined ? undefined : readFault(failed.value);
}
