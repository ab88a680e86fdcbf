import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import { YagateError } from "@yagate/protocol";
import { ApiError } from "../errors/api-error.ts";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** The client does not wait for a gateway that asks for more than this. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * Which failures a request is repeated after.
 *
 * `always`: the request can arrive twice without harm. `refused`: it cannot, so it is repeated only after responses
 * that say that nothing was done.
 */
export type RepeatPolicy = "always" | "refused";

/** Whether a failure may be temporary. */
export function isRepeatable(error: unknown, policy: RepeatPolicy): boolean {
  if (ApiError.is(error)) {
    // A quota without Retry-After stays exceeded until something is deleted or ends.
    if (error.code === "QUOTA_EXCEEDED") return error.retryAfterMs !== null;
    if (error.status === 503 || (error.status < 500 && isRetryableStatus(error.status))) return true;
    return policy === "always" && error.code === "UNAVAILABLE";
  }
  return policy === "always" && YagateError.is(error) && error.code === "CONNECTION_FAILED";
}

/**
 * Returns the delay before a retry: full jitter in [0, min(8 s, 500 ms · 2ⁿ)], after `Retry-After` if there is one.
 *
 * @param retry - 1 for the first.
 * @returns `undefined` if the gateway asks for more than a minute.
 */
export function retryDelayMs(retry: number, error: unknown, random: () => number): number | undefined {
  const jitterMs = random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retry);
  const retryAfterMs = ApiError.is(error) ? error.retryAfterMs : null;
  if (retryAfterMs === null) return jitterMs;
  return retryAfterMs > LONGEST_RETRY_AFTER_MS ? undefined : retryAfterMs + Math.min(FIRST_DELAY_MS, jitterMs);
}
