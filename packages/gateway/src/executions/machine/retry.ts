import { isRepeatable, type ToolTraits } from "./execution-config.ts";
import type { Failure } from "./inputs.ts";
import type { AttemptState } from "./state.ts";

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

// A call that crashes the gateway each time must not do so for ever.
const MAX_INTERRUPTED_ATTEMPTS = 3;

/** Delay before retry `retry` (1 is the first): the `Retry-After` of the response, or full jitter in [0, min(30 s, 500 ms · 2ⁿ)]. */
export function retryDelayMs(retry: number, random: () => number, retryAfterMs: number | undefined): number {
  if (retryAfterMs !== undefined) return retryAfterMs;
  return Math.floor(random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** retry));
}

/** Whether a call whose last attempt failed like this may be retried. */
export function mayRetry(traits: ToolTraits, attempts: readonly AttemptState[], failure: Failure): boolean {
  if (!failure.isRetryable) return false;
  if (failure.outcome === "unknown" && !isRepeatable(traits)) return false;
  return countedAttempts(attempts) <= traits.retries;
}

/** Whether a call that was running when the gateway stopped may be sent again. */
export function mayRepeatInterrupted(traits: ToolTraits, attempts: readonly AttemptState[]): boolean {
  const interrupted = attempts.filter((attempt) => attempt.isInterrupted).length;
  return isRepeatable(traits) && interrupted < MAX_INTERRUPTED_ATTEMPTS;
}

/** The number of attempts that count against the tool's retries. */
export function countedAttempts(attempts: readonly AttemptState[]): number {
  return attempts.filter((attempt) => !attempt.isInterrupted).length;
}
