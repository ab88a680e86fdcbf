import { parseRetryAfter } from "@yagate/lib/http/retry-after";
import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import { SearchFailure, type SearchFailureReason } from "../port.ts";
import type { WireFailure, WireFormat } from "./wire-format.ts";

/**
 * Describes each kind of failure for people and models. The message contains no text from the service, because that
 * could contain the key.
 */
const MESSAGES: Readonly<Record<SearchFailureReason, string>> = {
  misconfigured: "rejected its key or settings",
  rejected: "rejected this query",
  rate_limited: "received too many requests",
  quota_exhausted: "has no quota left",
  unavailable: "is currently unavailable",
  bad_answer: "returned an invalid response",
  aborted: "was cancelled",
};

/** Creates the failure of a provider. */
export function failureOf(
  provider: string,
  reason: SearchFailureReason,
  options: ErrorOptions & {
    readonly retryAfterMs?: number;
    readonly detail?: string;
    readonly isUnknown?: boolean;
  } = {},
): SearchFailure {
  const { detail, ...rest } = options;
  return new SearchFailure(
    reason,
    `${provider} ${MESSAGES[reason]}${detail === undefined ? "" : ` (${detail})`}`,
    rest,
  );
}

/** Creates the failure for an unsuccessful response. @param now - ms since the epoch. */
export function failureOfStatus(format: WireFormat, failure: WireFailure, now: number): SearchFailure {
  const told = format.failure?.(failure) ?? {};
  const reason = told.reason ?? reasonOfStatus(failure.status);
  const askedMs = parseRetryAfter(failure.headers["retry-after"], now);
  const waitMs = askedMs === undefined ? told.retryAfterMs : Math.min(askedMs, LONGEST_WAIT_MS);
  const waits = waitMs === undefined || !isPassing(reason) ? {} : { retryAfterMs: waitMs };
  const remedy = told.remedy === undefined ? "" : `: ${told.remedy}`;
  return failureOf(format.name, reason, { ...waits, detail: `status ${failure.status}${remedy}` });
}

function isPassing(reason: SearchFailureReason): boolean {
  return reason === "rate_limited" || reason === "quota_exhausted" || reason === "unavailable";
}

/** The longest plausible delay: that of a monthly quota. */
const LONGEST_WAIT_MS = 31 * 86_400_000;

function reasonOfStatus(status: number): SearchFailureReason {
  if (status === 401 || status === 403 || status === 404) return "misconfigured";
  if (status === 402) return "quota_exhausted";
  if (status === 429) return "rate_limited";
  if (isRetryableStatus(status)) return "unavailable";
  // Redirects are not followed, because the operator should configure the final URL.
  if (status >= 300 && status < 400) return "misconfigured";
  return status >= 400 ? "rejected" : "bad_answer";
}
