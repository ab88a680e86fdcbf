import { AISDKError, APICallError } from "@ai-sdk/provider";
import { YagateError } from "@yagate/protocol";
import { StreamProviderError } from "ai";
import { EgressError } from "../egress/egress-error.ts";
import { ModelTurnError } from "./port.ts";
import { PROVIDER_VARIABLES, type ProviderName } from "./provider-settings.ts";
import { parseRetryAfter } from "./retry-after.ts";

const MAX_PROVIDER_MESSAGE_LENGTH = 500;

/** Whose error it is. */
export interface ErrorSource {
  readonly provider: ProviderName | "scripted";
  /** Cut out of whatever the provider says. */
  readonly apiKey?: string;
  /** ms since the epoch. */
  readonly now: () => number;
}

/**
 * Tells an error of a model provider in our words. `undefined`: it is none, so something here is broken.
 *
 * Retryable are 408, 409, 429, 5xx and what the network did. The message never holds a key; it quotes at most 500
 * characters of the provider's, and nothing of it where the key was refused.
 */
export function toModelTurnError(error: unknown, source: ErrorSource): ModelTurnError | undefined {
  if (error instanceof ModelTurnError) return error;
  const guarded = causes(error).find(YagateError.is);
  if (guarded !== undefined) return toUnreachable(guarded, source);
  if (APICallError.isInstance(error)) return toRefusedCall(error, source);
  if (StreamProviderError.isInstance(error)) {
    return failure(`${source.provider} broke off its answer: ${quote(error.message, source)}`, error, {
      isRetryable: error.isRetryable === true,
    });
  }
  if (isConnectionError(error)) return toDropped(error, source);
  if (isBadAnswer(error)) return failure(`${source.provider} sent an answer that could not be read`, error);
  return undefined;
}

/** An error that a provider put into its stream, whatever its shape. */
export function toStreamError(error: unknown, source: ErrorSource): ModelTurnError {
  return toModelTurnError(error, source) ?? failure(`${source.provider} reported an error in its answer`, error);
}

function toUnreachable(error: YagateError, source: ErrorSource): ModelTurnError {
  const isRetryable =
    error instanceof EgressError ? error.isTemporary : error.code === "NETWORK_ERROR" || error.code === "TIMEOUT";
  return failure(`${source.provider} could not be reached (${error.code}): ${error.message}`, error, { isRetryable });
}

function toRefusedCall(error: APICallError, source: ErrorSource): ModelTurnError {
  const { statusCode } = error;
  const isAccepted = statusCode !== undefined && statusCode < 300;
  if (statusCode === undefined || (isAccepted && isConnectionError(error))) return toDropped(error, source);
  if (statusCode === 401 || statusCode === 403) {
    return failure(`${source.provider} refused the API key (HTTP ${statusCode})${keyAdvice(source)}`, error);
  }
  if (isAccepted) return failure(`${source.provider} sent an answer that could not be read`, error);
  const retryAfterMs = parseRetryAfter(error.responseHeaders ?? {}, source.now());
  return failure(`${source.provider} answered HTTP ${statusCode}: ${quote(error.message, source)}`, error, {
    isRetryable: error.isRetryable && !isOutOfQuota(error),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function toDropped(error: unknown, source: ErrorSource): ModelTurnError {
  return failure(`the connection to ${source.provider} failed`, error, { isRetryable: true });
}

function failure(
  message: string,
  cause: unknown,
  options: { readonly isRetryable?: boolean; readonly retryAfterMs?: number } = {},
): ModelTurnError {
  return new ModelTurnError("MODEL_ERROR", message, { ...options, cause });
}

function keyAdvice({ provider }: ErrorSource): string {
  return provider === "scripted" ? "" : `; check ${PROVIDER_VARIABLES[provider].apiKey}`;
}

function quote(text: string, { apiKey }: ErrorSource): string {
  const safe = apiKey === undefined ? text : text.replaceAll(apiKey, "***");
  const line = safe.replace(/\s+/g, " ").trim();
  return line.length <= MAX_PROVIDER_MESSAGE_LENGTH ? line : `${line.slice(0, MAX_PROVIDER_MESSAGE_LENGTH)}…`;
}

// OpenAI says 429 for an empty account too, and no waiting fills it.
function isOutOfQuota(error: APICallError): boolean {
  return error.responseBody?.includes('"insufficient_quota"') === true;
}

function isConnectionError(error: unknown): boolean {
  return causes(error).some(
    (cause) =>
      cause instanceof Error &&
      (/^(?:terminated|fetch failed)$/.test(cause.message) ||
        ("code" in cause && /^(?:UND_ERR_|ECONN|EPIPE|ETIMEDOUT|EAI_|ENOTFOUND)/.test(String(cause.code)))),
  );
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

/** The error and what caused it, outermost first; a cycle ends at ten. */
function causes(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  let current = error;
  while (current !== undefined && current !== null && chain.length < 10) {
    chain.push(current);
    current = current instanceof Error ? current.cause : undefined;
  }
  return chain;
}
