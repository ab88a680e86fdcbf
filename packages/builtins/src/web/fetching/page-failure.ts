import type { EgressError } from "@yagate/egress";
import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import { defined } from "@yagate/lib/objects/defined";
import { DocumentError, type DocumentErrorReason, PageError } from "../port.ts";

const NOT_THERE = "check the URL, or look for the page elsewhere";

const HINTS: Readonly<Record<string, string>> = {
  URL_BLOCKED: "use an https URL of a public site",
  DNS_BLOCKED: "check the host's name, or use another source",
  INVALID_ARGUMENTS: "give one whole URL that begins with https://",
  TIMEOUT: "the site is slow or sends too much: go on without this page, or try once more later",
  NETWORK_ERROR: "the site could not be reached: go on without this page, or try once more later",
  TLS_ERROR: "the site's certificate can't be trusted, so nothing is read from it: use another source",
  RESPONSE_TOO_LARGE: "the page is too large to be read: look for a smaller one, such as a single chapter",
  INVALID_RESPONSE: "what the site sent can't be read: use another source",
  REDIRECT_REFUSED: "use the page's own URL, or another source",
  CANCELLED: "the call was given up",
};

/** What a request of a page that brought no answer means for whoever wanted the page. */
export function egressPageError(error: EgressError): PageError {
  const { code, message, isTemporary } = error;
  const isRetryable = isTemporary && (code === "NETWORK_ERROR" || code === "TIMEOUT" || code === "DNS_BLOCKED");
  return pageError(code, message.replace("the service", "the site").replace("the answer", "the page"), {
    isRetryable,
    cause: error,
  });
}

/** An answer that holds no page. */
export function statusError(status: number): PageError {
  if (status === 204 || status === 205)
    return pageError("INVALID_RESPONSE", `the page has no content (HTTP ${status})`);
  if (status === 206) {
    return pageError("INVALID_RESPONSE", "the site sent a part of the page (HTTP 206) where all of it was asked for");
  }
  if (status === 304) {
    return pageError("INVALID_RESPONSE", "the site says that the page has not changed (HTTP 304), and sent nothing");
  }
  const isRetryable = isRetryableStatus(status);
  return new PageError("HANDLER_ERROR", `the site answered with HTTP ${status}`, { isRetryable, hint: hintOf(status) });
}

function hintOf(status: number): string {
  if (status === 401 || status === 402 || status === 403 || status === 407 || status === 451) {
    return "the site does not show this page to everybody: don't try to get around that, use another source";
  }
  if (status === 404 || status === 410) return `there is no such page: ${NOT_THERE}`;
  if (status === 429) return "the site asks for fewer requests: go on without this page, or try once more later";
  return status >= 500 ? "the site itself failed: go on without this page, or try once more later" : NOT_THERE;
}

const READING: Readonly<Record<DocumentErrorReason, { readonly code: string; readonly isRetryable?: boolean }>> = {
  unsupported: { code: "INVALID_RESPONSE" },
  unreadable: { code: "INVALID_RESPONSE" },
  limit: { code: "RESPONSE_TOO_LARGE" },
  busy: { code: "UNAVAILABLE", isRetryable: true },
  aborted: { code: "CANCELLED" },
};

/** What a document that was not read means for whoever wanted the page; anything but a DocumentError as it is. */
export function readingError(error: unknown, isOutOfTime: boolean): unknown {
  if (!(error instanceof DocumentError)) return error;
  if (error.reason === "aborted" && isOutOfTime) return pageError("TIMEOUT", "the page could not be read in time");
  const { code, isRetryable = false } = READING[error.reason];
  return pageError(code, `the page can't be read: ${error.message}`, { isRetryable, cause: error });
}

/** A failure with the advice that goes with its code. */
export function pageError(
  code: string,
  message: string,
  options: ErrorOptions & { readonly isRetryable?: boolean } = {},
): PageError {
  const hint = HINTS[code];
  // What was asked for wrongly may be asked for anew.
  const isRetryable = options.isRetryable ?? code === "INVALID_ARGUMENTS";
  return new PageError(code, message, { ...options, isRetryable, ...defined({ hint }) });
}
