import { parseRetryAfter } from "@yagate/lib/http/retry-after";
import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import { SearchFailure, type SearchFailureReason } from "../port.ts";
import type { WireFailure, WireFormat } from "./wire-format.ts";

/** What happened, for people and models; no text of the service, which may repeat the key. */
const MESSAGES: Readonly<Record<SearchFailureReason, string>> = {
  misconfigured: "does not accept its key or settings",
  rejected: "does not take this query",
  rate_limited: "was asked too often",
  quota_exhausted: "has no quota left",
  unavailable: "does not work at the moment",
  bad_answer: "gave an answer that could not be read",
  aborted: "was not waited for",
};

/** A failure of a provider in the words that it is told in. */
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

/** @param now - ms since the epoch. */
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

/** The longest time that a service is believed to need: a month's quota. */
const LONGEST_WAIT_MS = 31 * 86_400_000;

function reasonOfStatus(status: number): SearchFailureReason {
  if (status === 401 || status === 403 || status === 404) return "misconfigured";
  if (status === 402) return "quota_exhausted";
  if (status === 429) return "rate_limited";
  if (isRetryableStatus(status)) return "unavailable";
  // Redirects: whoever wrote the address knows where it leads.
  if (status >= 300 && status < 400) return "misconfigured";
  return status >= 400 ? "rejected" : "bad_answer";
}
