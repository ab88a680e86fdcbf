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
import { ModelTurnError, type UnreachableProvider } from "./port.ts";
import { providerDelayMs } from "./provider-delay.ts";
import { kindOfFault, type ProviderFault, readFault } from "./provider-fault.ts";
import { readStreamFault, type StreamFault } from "./stream-fault.ts";
import { causes, unreadableReason } from "./unreadable-reason.ts";

const MAX_PROVIDER_MESSAGE_LENGTH = 500;

/** The provider that returned an error. */
export interface ErrorSource {
  /** The provider's name. */
  readonly provider: string;
  /** Removes the key from the provider's error text; undefined if there is no key. */
  readonly redaction?: Pick<Redaction, "text" | "cutText">;
  /** Removes the key from the model's output; undefined if there is no key. */
  readonly mask?: SecretMask;
  /** What to do if the key is rejected. */
  readonly keyAdvice?: string;
  /** The origin of the base URL, unless a workspace set it. */
  readonly origin?: string;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
}

/**
 * Converts an error of a model provider to a ModelTurnError. Returns `undefined` for any other error, which is a defect
 * in the gateway. The statuses 408, 409, 425, 429 and 5xx, the same errors inside a stream, and network errors are
 * retryable. The message never contains a key. It quotes at most 500 characters of the provider's text, or nothing if
 * the key was rejected.
 */
export function toModelTurnError(error: unknown, source: ErrorSource): ModelTurnError | undefined {
  const told = causes(error).find((cause) => cause instanceof ModelTurnError);
  if (told !== undefined) return told;
  const guarded = causes(error).find(YagateError.is);
  if (guarded !== undefined) return toUnreachable(guarded, source);
  if (isCutOff(error)) return toCutOff(error, source);
  if (APICallError.isInstance(error)) return toRefusedCall(error, source);
  if (isConnectionError(error)) return toDropped(error, source);
  if (isBadAnswer(error)) return toUnreadable(error, source, faultBehind(error));
  return undefined;
}

/** Checks whether the provider had started a response. The provider charges for a response even if it can't be used. */
export function isUnusableAnswer(error: unknown): boolean {
  return causes(error).some(
    (cause) =>
      cause instanceof ModelTurnError ||
      (APICallError.isInstance(cause) && cause.statusCode !== undefined && cause.statusCode < 300) ||
      isBadAnswer(cause),
  );
}

/** Converts an error inside a stream, in any form. */
export function toStreamError(error: unknown, source: ErrorSource): ModelTurnError {
  const reported = readStreamFault(error);
  if (reported !== undefined) return toBrokenOff(error, source, reported);
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
  const advice = `is the server of provider ${provider} running? See the gateway's log for the cause`;
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
  return toFailure(`${source.provider} responded with HTTP ${statusCode}`, error, source, {
    message: fault?.message ?? error.message,
    status: statusCode,
    words: fault?.words ?? [],
    retryAfterMs,
  });
}

/** Converts an error that the provider reported inside a stream. */
function toBrokenOff(error: unknown, source: ErrorSource, reported: StreamFault): ModelTurnError {
  const { message, status, isRetryable, data } = reported;
  const fault = readFault(data);
  const words = [...(fault?.words ?? []), ...(isRetryable ? ["server_error"] : [])];
  return toFailure(`${source.provider} interrupted its response`, error, source, {
    message,
    status,
    words,
    retryAfterMs: fault?.retryAfterMs,
  });
}

/** Converts an invalid response, which may still contain the reason for its failure. */
function toUnreadable(error: unknown, source: ErrorSource, fault: ProviderFault | undefined): ModelTurnError {
  return fault === undefined
    ? failure(`${source.provider} sent an invalid response`, error, {
        developerMessage: unreadableReason(error),
      })
    : toFailure(`${source.provider} reported an error in its response`, error, source, fault);
}

function toFailure(what: string, cause: unknown, source: ErrorSource, fault: ProviderFault): ModelTurnError {
  const { status, message, retryAfterMs } = fault;
  const quoted = message === undefined ? what : `${what}: ${quote(message, source)}`;
  switch (kindOfFault(fault, status)) {
    case "key": {
      const advice = source.keyAdvice === undefined ? "" : `; ${source.keyAdvice}`;
      const http = status === undefined ? "" : ` (HTTP ${status})`;
      return failure(`${source.provider} rejected the API key${http}${advice}`, cause);
    }
    case "quota":
      return failure(`the account at ${source.provider} has no credit left: ${quoted}`, cause);
    case "context":
      return failure(`the conversation is too long for the model: ${quoted}`, cause);
    case "content":
      return failure(`${source.provider} rejected the content of the conversation: ${quoted}`, cause);
    case "passing":
      return failure(quoted, cause, { isRetryable: true, ...defined({ retryAfterMs }) });
    case "other":
      return failure(quoted, cause);
  }
}

function toCutOff(error: unknown, source: ErrorSource): ModelTurnError {
  return failure(`the response from ${source.provider} was cut off`, error, {
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
  // Mask before shortening, because part of a key can't be recognised. The body itself may already have been cut.
  const safe = redaction === undefined ? text : redaction.cutText(text);
  const line = safe.replace(/\s+/g, " ").trim();
  return cutText(line, MAX_PROVIDER_MESSAGE_LENGTH + 1);
}

/** Checks whether the error is a network failure during the transfer. */
export function isConnectionError(error: unknown): boolean {
  return causes(error).some(
    (cause) =>
      cause instanceof Error &&
      (/^(?:terminated|fetch failed)$/.test(cause.message) ||
        ("code" in cause && /^(?:UND_ERR_|ECONN|EPIPE|ETIMEDOUT|EAI_|ENOTFOUND)/.test(String(cause.code)))),
  );
}

/**
 * Checks whether a response was cut off: some SDK providers report a stream without a finish reason as an error, and
 * truncated JSON can't be parsed.
 */
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

/**
 * Finds the provider's error in a chunk that failed validation. Some of the AI SDK's providers do not expect errors
 * inside a response.
 */
function faultBehind(error: unknown): ProviderFault | undefined {
  const failed = causes(error).find((cause) => TypeValidationError.isInstance(cause));
  return failed === undefined ? undefined : readFault(failed.value);
}
