import type { BuiltinError } from "../builtin-tool.ts";
import type { SearchFailureReason } from "../search/port.ts";
import type { SearchError } from "../search/search-error.ts";

type Told = Pick<BuiltinError, "code" | "hint" | "retryable">;

const TOLD: Readonly<Record<SearchFailureReason | "none", Told>> = {
  unavailable: {
    code: "NETWORK_ERROR",
    hint: "search again in a moment, or continue without searching",
    retryable: true,
  },
  bad_answer: {
    code: "INVALID_RESPONSE",
    hint: "search with other words, or continue without searching",
    retryable: true,
  },
  rate_limited: { code: "RATE_LIMITED", hint: "search again later, or continue without searching", retryable: true },
  quota_exhausted: { code: "RATE_LIMITED", hint: "continue without searching: the quota is used up", retryable: false },
  rejected: {
    code: "INVALID_ARGUMENTS",
    hint: "search with a simpler query: fewer words, no operators",
    retryable: true,
  },
  misconfigured: {
    code: "NOT_CONFIGURED",
    hint: "continue without web_search; an operator must correct the settings of its provider",
    retryable: false,
  },
  aborted: { code: "CANCELLED", hint: "continue without searching", retryable: false },
  none: {
    code: "NOT_CONFIGURED",
    hint: "continue without web_search; an operator must configure a search provider for it",
    retryable: false,
  },
};

/** Returns the error for the model if no provider responded. */
export function toBuiltinError(error: SearchError): BuiltinError {
  const { reason, retryAfterMs } = error;
  const told = TOLD[reason];
  const wait =
    retryAfterMs === undefined || !told.retryable
      ? ""
      : `; retry after ${Math.ceil(retryAfterMs / 1_000)} s at the earliest`;
  const message =
    error.message === "" ? "no search provider is available" : `no search provider responded: ${error.message}`;
  return { ...told, message: `${message}${wait}` };
}
