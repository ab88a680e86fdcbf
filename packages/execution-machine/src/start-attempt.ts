import { type EventLog, toTimestamp } from "./event-log.ts";
import type { ExecutionConfig, MachineEnvironment, ToolTraits } from "./execution-config.ts";
import { type CallState, remainingWallMs } from "./state.ts";

/** What an attempt belongs to. */
export interface AttemptOwner {
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
