import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import { YagateError } from "@yagate/protocol";
import { ApiError } from "../errors/api-error.ts";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** The client does not retry if the gateway requests a longer pause than this. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * The failures after which a request is repeated.
 *
 * `always`: the request can arrive twice without harm, so it is repeated after every temporary failure. `refused`: it
 * must not arrive twice, so it is repeated only after responses that show that the gateway did nothing.
 */
export type RepeatPolicy = "always" | "refused";

/** Checks whether a request may be repeated after a failure. */
export function isRepeatable(error: unknown, policy: RepeatPolicy): boolean {
  if (ApiError.is(error)) {
    // Without Retry-After, the quota stays exceeded until something is deleted or an execution ends.
    if (error.code === "QUOTA_EXCEEDED") return error.retryAfterMs !== null;
    if (error.status === 503 || (error.status < 500 && isRetryableStatus(error.status))) return true;
    return policy === "always" && error.code === "UNAVAILABLE";
  }
  return policy === "always" && YagateError.is(error) && error.code === "CONNECTION_FAILED";
}

/**
 * Returns the delay before a retry, in ms: random, from 0 to min(8 s, 500 ms · 2ⁿ) (full jitter). If the response
 * contains `Retry-After`, the delay is the requested time plus up to 500 ms.
 *
 * @param retry - n: 1 for the first retry.
 * @returns `undefined` if the gateway requests a pause of more than a minute.
 */
export function retryDelayMs(retry: number, error: unknown, random: () => number): number | undefined {
  const jitterMs = random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retry);
  const retryAfterMs = ApiError.is(error) ? error.retryAfterMs : null;
  if (retryAfterMs === null) return jitterMs;
  return retryAfterMs > LONGEST_RETRY_AFTER_MS ? undefined : retryAfterMs + Math.min(FIRST_DELAY_MS, jitterMs);
}
