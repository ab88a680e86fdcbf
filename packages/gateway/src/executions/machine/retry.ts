import { isRepeatable, type ToolTraits } from "./execution-config.ts";
import type { Failure } from "./inputs.ts";
import type { AttemptState } from "./state.ts";

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

// A call that takes the gateway down each time it is sent must not do so for ever.
const MAX_INTERRUPTED_ATTEMPTS = 3;

/** Delay before retry `retry` (1 is the first): full jitter in [0, min(30 s, 500 ms · 2ⁿ)], or what `Retry-After` says. */
export function retryDelayMs(retry: number, random: () => number, retryAfterMs: number | undefined): number {
  if (retryAfterMs !== undefined) return retryAfterMs;
  return Math.floor(random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** retry));
}

/** Whether a call whose last attempt failed like this may be sent once more. */
export function mayRetry(traits: ToolTraits, attempts: readonly AttemptState[], failure: Failure): boolean {
  if (!failure.isRetryable) return false;
  if (failure.outcome === "unknown" && !isRepeatable(traits)) return false;
  return countedAttempts(attempts) <= traits.retries;
}

/** Whether a call that was on its way when the gateway stopped may be sent once more. */
export function mayRepeatInterrupted(traits: ToolTraits, attempts: readonly AttemptState[]): boolean {
  const interrupted = attempts.filter((attempt) => attempt.isInterrupted).length;
  return isRepeatable(traits) && interrupted < MAX_INTERRUPTED_ATTEMPTS;
}

/** Attempts that use up the author's retries. */
export function countedAttempts(attempts: readonly AttemptState[]): number {
  return attempts.filter((attempt) => !attempt.isInterrupted).length;
}
