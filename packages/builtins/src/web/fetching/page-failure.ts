import type { EgressError, EgressErrorCode } from "@yagate/egress";
import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import { defined } from "@yagate/lib/objects/defined";
import { DocumentError, type DocumentErrorReason, PageError } from "../port.ts";

const NOT_THERE = "check the URL, or look for the page elsewhere";

const HINTS: Readonly<Record<string, string>> = {
  URL_BLOCKED: "use an https URL of a public site",
  DNS_BLOCKED: "check the host's name, or use another source",
  INVALID_ARGUMENTS: "pass one complete URL that starts with https://",
  TIMEOUT: "the site is slow or sends too much: continue without this page, or retry once later",
  NETWORK_ERROR: "the site could not be reached: continue without this page, or retry once later",
  TLS_ERROR: "the site's certificate is not trusted, so nothing is read from it: use another source",
  RESPONSE_TOO_LARGE: "the page is too large: look for a smaller one, such as a single chapter",
  INVALID_RESPONSE: "the response can't be read: use another source",
  REDIRECT_REFUSED: "use the page's own URL, or another source",
  CANCELLED: "the call was cancelled",
};

/** Converts a failed request to an error for the model. @param limits - the limits of the request. */
export function egressPageError(error: EgressError, limits: RequestLimits): PageError {
  const { code, isTemporary, bytesMayHaveLeft } = error;
  const text = bytesMayHaveLeft && code === "NETWORK_ERROR" ? LOST : TEXTS[code];
  const message = typeof text === "function" ? text(limits) : (text ?? error.message);
  return pageError(code, message, { isRetryable: isTemporary, cause: error });
}

interface RequestLimits {
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
}

const LOST = "the connection failed before the page was complete";

/**
 * Messages for the model. For other codes, the guard's own message is used, which is about the URL in the model's
 * arguments.
 */
const TEXTS: Readonly<Partial<Record<EgressErrorCode, string | ((limits: RequestLimits) => string)>>> = {
  NETWORK_ERROR: "the site could not be reached",
  TLS_ERROR: "the site has no valid certificate for its name",
  TIMEOUT: ({ timeoutMs }) => `the site did not respond within ${timeoutMs} ms`,
  RESPONSE_TOO_LARGE: ({ maxResponseBytes }) => `the page is larger than ${maxResponseBytes} bytes`,
  INVALID_RESPONSE: "the page is not encoded as its headers say",
};

/** Creates the error for a status with which no complete page was sent. */
export function statusError(status: number): PageError {
  if (status === 204 || status === 205)
    return pageError("INVALID_RESPONSE", `the page has no content (HTTP ${status})`);
  if (status === 206) {
    return pageError(
      "INVALID_RESPONSE",
      "the site sent only part of the page (HTTP 206) although the complete page was requested",
    );
  }
  if (status === 304) {
    return pageError(
      "INVALID_RESPONSE",
      "the site responded that the page has not changed (HTTP 304), without content",
    );
  }
  const isRetryable = isRetryableStatus(status);
  return new PageError("HANDLER_ERROR", `the site responded with HTTP ${status}`, {
    isRetryable,
    hint: hintOf(status),
  });
}

function hintOf(status: number): string {
  if (status === 401 || status === 402 || status === 403 || status === 407 || status === 451) {
    return "the site restricts access to this page: don't try to get around that; use another source";
  }
  if (status === 404 || status === 410) return `the page does not exist: ${NOT_THERE}`;
  if (status === 429) return "the site limits the rate of requests: continue without this page, or retry once later";
  return status >= 500 ? "the site has an internal error: continue without this page, or retry once later" : NOT_THERE;
}

const READING: Readonly<Record<DocumentErrorReason, { readonly code: string; readonly isRetryable?: boolean }>> = {
  unsupported: { code: "INVALID_RESPONSE" },
  unreadable: { code: "INVALID_RESPONSE" },
  limit: { code: "RESPONSE_TOO_LARGE" },
  busy: { code: "UNAVAILABLE", isRetryable: true },
  aborted: { code: "CANCELLED" },
};

/** Converts a DocumentError to an error for the model. Returns other errors unchanged. */
export function readingError(error: unknown, isOutOfTime: boolean): unknown {
  if (!(error instanceof DocumentError)) return error;
  if (error.reason === "aborted" && isOutOfTime) return pageError("TIMEOUT", "the page could not be read in time");
  const { code, isRetryable = false } = READING[error.reason];
  return pageError(code, `the page can't be read: ${error.message}`, { isRetryable, cause: error });
}

/** Creates an error with the hint for its code. */
export function pageError(
  code: string,
  message: string,
  options: ErrorOptions & { readonly isRetryable?: boolean } = {},
): PageError {
  const hint = HINTS[code];
  // After these errors, the model can correct the arguments and retry.
  const isRetryable = options.isRetryable ?? code === "INVALID_ARGUMENTS";
  return new PageError(code, message, { ...options, isRetryable, ...defined({ hint }) });
}
