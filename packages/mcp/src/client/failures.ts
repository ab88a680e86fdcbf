import { isJsonObject } from "@yagate/lib/json/json-object";
import { type ErrorCode, YagateError } from "@yagate/protocol";
import { McpCallError } from "./call-error.ts";

/** Codes of errors of the guard or of a limit, which say more than the library's own error. */
const KNOWN: ReadonlySet<ErrorCode> = new Set([
  ...(["URL_BLOCKED", "DNS_BLOCKED", "NETWORK_ERROR", "TLS_ERROR", "TIMEOUT"] as const),
  ...(["RESPONSE_TOO_LARGE", "INVALID_RESPONSE", "REDIRECT_REFUSED", "MANIFEST_INVALID"] as const),
]);
const REQUEST_TIMEOUT = "REQUEST_TIMEOUT";
const INVALID_RESULTS: ReadonlySet<unknown> = new Set(["INVALID_RESULT", "UNSUPPORTED_RESULT_TYPE"]);
const INVALID_PARAMS = -32_602;
const METHOD_NOT_FOUND = -32_601;
/** The HTTP status with which servers reject requests of a revision that they do not support. */
export const BAD_REQUEST = 400;

/**
 * How long the library may take to handle the last event of a stream, in ms. Only after that time does the end of the
 * stream count as the end of the request.
 */
export const LAST_EVENT_MS = 100;

/** Returns why a request has no response although its stream is over. */
export function brokenStream(error: unknown): YagateError {
  return YagateError.is(error) ? error : new YagateError("NETWORK_ERROR", "the MCP server ended its response early");
}

/** Converts the failure of a list to the error of the source's sync. */
export function toSourceError(error: unknown): YagateError {
  const known = knownCause(error);
  if (known?.code === "RESPONSE_TOO_LARGE") return new YagateError("MANIFEST_INVALID", known.message, { cause: error });
  if (known?.code === "MANIFEST_INVALID") return known;
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    const message = `the MCP server rejected the request with HTTP ${status}`;
    return new YagateError("SOURCE_UNAUTHORIZED", message, {
      cause: error,
      hint: "check the credential of the source, and what it permits",
    });
  }
  return new YagateError(
    "SOURCE_UNREACHABLE",
    `the MCP server did not list its tools: ${reasonOf(error, known, status)}`,
    {
      cause: error,
    },
  );
}

/** What is known of a failed call. */
export interface CallFacts {
  /** Aborted if the caller cancelled the call. */
  readonly signal: AbortSignal;
  /** Whether the call may have reached the server. */
  readonly isSent: boolean;
}

/** Converts the failure of a call. */
export function toCallError(error: unknown, { signal, isSent }: CallFacts): McpCallError {
  if (error instanceof McpCallError) return error;
  const sent = isSent ? "unknown" : "none";
  if (signal.aborted) return new McpCallError("CANCELLED", "the call was cancelled", { outcome: sent, cause: error });
  const known = knownCause(error);
  if (known !== undefined) {
    return new McpCallError(known.code, known.message, { outcome: sent, cause: error });
  }
  const status = statusOf(error);
  const code = codeOf(error);
  if (code === REQUEST_TIMEOUT) {
    return new McpCallError("TIMEOUT", "the MCP server did not respond in time", { outcome: sent, cause: error });
  }
  if (code === INVALID_PARAMS || code === METHOD_NOT_FOUND) {
    const message = "the MCP server does not know the tool, or does not accept its arguments";
    return new McpCallError("UNKNOWN_TOOL", message, { outcome: "none", cause: error });
  }
  // The server rejected the request as such.
  const isRejected = status !== undefined && status >= 400 && status < 500;
  return new McpCallError("HANDLER_ERROR", `the MCP server failed: ${reasonOf(error, undefined, status)}`, {
    outcome: isRejected ? "none" : sent,
    cause: error,
  });
}

/** The HTTP status with which the server rejected a request; undefined if it did not. */
export function statusOf(error: unknown): number | undefined {
  const status = isJsonObject(error) ? error["status"] : undefined;
  return typeof status === "number" && !YagateError.is(error) ? status : undefined;
}

/** Returns whether the server rejected the parameters of a request. */
export function isInvalidParams(error: unknown): boolean {
  return codeOf(error) === INVALID_PARAMS;
}

/** Returns whether the server's response does not follow the protocol. */
export function isInvalidResult(error: unknown): boolean {
  return INVALID_RESULTS.has(codeOf(error));
}

function codeOf(error: unknown): unknown {
  return isJsonObject(error) ? error["code"] : undefined;
}

/** Finds the error of the guard, or of a limit, among the causes of an error. */
function knownCause(error: unknown): YagateError | undefined {
  let cause = error;
  for (let depth = 0; depth < 8 && cause !== undefined; depth += 1) {
    if (YagateError.is(cause) && KNOWN.has(cause.code)) return cause;
    cause = isJsonObject(cause) ? cause["cause"] : undefined;
  }
  return undefined;
}

// The server's own text is not included, because it could contain anything.
function reasonOf(error: unknown, known: YagateError | undefined, status: number | undefined): string {
  if (known !== undefined) return known.message;
  if (status !== undefined) return `it responded with HTTP ${status}`;
  if (codeOf(error) === REQUEST_TIMEOUT) return "it did not respond in time";
  return "its response does not follow the Model Context Protocol";
}
