import type { Failure } from "./call-outcome.ts";
import { type EventLog, toTimestamp } from "./event-log.ts";
import { type ExecutionConfig, isRepeatable, type MachineEnvironment, type ToolTraits } from "./execution-config.ts";
import { type AttemptState, type CallState, remainingWallMs } from "./state.ts";

/** What an attempt belongs to. */
interface AttemptOwner {
  readonly call: CallState;
  readonly traits: ToolTraits;
  readonly config: ExecutionConfig;
}

/**
 * Starts the next attempt of a call.
 *
 * @param options.isResumption - whether the attempt only reads the response to the attempt before it; default false.
 */
export function startAttempt(
  log: EventLog,
  { call, traits, config }: AttemptOwner,
  environment: Pick<MachineEnvironment, "newAttemptId">,
  { isResumption = false }: { readonly isResumption?: boolean } = {},
): void {
  const budgetMs = Math.min(traits.timeoutMs, remainingWallMs(log.state, log.now));
  log.append({
    type: "attempt.started",
    toolCallId: call.id,
    attemptId: environment.newAttemptId(),
    number: call.attempts.length + 1,
    ...traits.targetOf(call.parameters),
    ...(isResumption ? { method: "GET", isResumption } : {}),
    deadline: toTimestamp(log.now + budgetMs),
    ...(traits.isAsync ? { callbackUntil: callbackEnd(log, call, config) } : {}),
  });
}

/**
 * Returns the time until which a callback is accepted. It counts from the first attempt and is the same for all
 * attempts.
 */
function callbackEnd(log: EventLog, { callbackUntil }: CallState, { callbackExpiryMs }: ExecutionConfig): string {
  return toTimestamp(callbackUntil ?? log.now + callbackExpiryMs);
}

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

// Maximum number of interrupted attempts of a call, in case the call itself crashes the gateway.
const MAX_INTERRUPTED_ATTEMPTS = 3;

/**
 * Returns the delay in ms before a retry: the response's `Retry-After`, or a random time of up to min(30 s, 500 ms ·
 * 2ⁿ) (full jitter).
 *
 * @param retry - number of the retry, from 1.
 */
export function retryDelayMs(retry: number, random: () => number, retryAfterMs: number | undefined): number {
  if (retryAfterMs !== undefined) return retryAfterMs;
  return Math.floor(random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** retry));
}

/** Returns whether a call whose last attempt ended with this failure may be retried. */
export function mayRetry(traits: ToolTraits, attempts: readonly AttemptState[], failure: Failure): boolean {
  if (!failure.isRetryable) return false;
  // An earlier attempt that a restart interrupted may have taken effect, even if the last one did not.
  const isUncertain = failure.outcome === "unknown" || attempts.some(isUncertainAttempt);
  if (isUncertain && !isRepeatable(traits)) return false;
  return countedAttempts(attempts) <= traits.retries;
}

/** Returns whether it is unknown what an attempt did. The attempt that resumes it, if any, has its outcome. */
function isUncertainAttempt({ outcome }: AttemptState, index: number, attempts: readonly AttemptState[]): boolean {
  return outcome === "unknown" && attempts[index + 1]?.isResumption !== true;
}

/** Returns whether a call that was running when the gateway stopped may be sent again. */
export function mayRepeatInterrupted(traits: ToolTraits, attempts: readonly AttemptState[]): boolean {
  return isRepeatable(traits) && mayBeInterruptedAgain(attempts);
}

/** Returns whether a call may have a further attempt although restarts of the gateway interrupted its attempts. */
export function mayBeInterruptedAgain(attempts: readonly AttemptState[]): boolean {
  return attempts.filter((attempt) => attempt.isInterrupted).length < MAX_INTERRUPTED_ATTEMPTS;
}

/** Returns the number of attempts that count against the tool's retries. */
function countedAttempts(attempts: readonly AttemptState[]): number {
  return attempts.filter(({ isInterrupted, input }) => !isInterrupted && input === undefined).length;
}
