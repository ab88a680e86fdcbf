import type { Failure } from "./call-outcome.ts";
import type { EventLog } from "./event-log.ts";
import type { Command } from "./inputs.ts";
import { type CallState, isClosing } from "./state.ts";
import { gatewayFailure } from "./tool-error.ts";

/**
 * Records a callback of an asynchronous call. Does nothing if another outcome came first, the callback is too late, or
 * the call has moved to another capability.
 */
export function interpretCallback(
  log: EventLog,
  call: CallState | undefined,
  { bodyHash, outcome, moves = 0 }: Extract<Command, { type: "callback" }>,
): void {
  if (call === undefined || moves !== movesOf(call) || !mayReceive(log, call)) return;
  log.append({ type: "callback.received", toolCallId: call.id, bodyHash, ...outcome });
}

/** Returns how often a call has moved to another capability. */
export function movesOf({ triedCapabilities = [] }: Pick<CallState, "triedCapabilities">): number {
  return triedCapabilities.length;
}

/** Returns the times of the callback of an asynchronous call; undefined for other calls. */
export function callbackTimesOf(call: CallState) {
  const { callbackUntil, attempts, earlierAttempts = 0 } = call;
  const first = attempts[earlierAttempts];
  if (callbackUntil === null || first === undefined) return undefined;
  return { issuedAt: Date.parse(first.startedAt), expiresAt: callbackUntil, moves: movesOf(call) };
}

/**
 * Returns whether the call still accepts a callback. It does so from the start of its first attempt, even before the
 * response that announces the callback has arrived.
 */
function mayReceive(log: EventLog, { callbackUntil, callback, fallback, finishedAt }: CallState): boolean {
  if (isClosing(log.state) || finishedAt !== null) return false;
  return callbackUntil !== null && log.now < callbackUntil && callback === null && fallback === null;
}

/** Returns whether a callback has delivered a result that the owner has yet to act on. */
export function hasReceivedResult({ callback }: CallState): boolean {
  return callback !== null && !callback.isTaken && "result" in callback.outcome;
}

/** Returns the failure that a callback has delivered, if the owner has yet to act on it. */
export function callbackFailure({ callback }: CallState): Failure | undefined {
  if (callback === null || callback.isTaken || "result" in callback.outcome) return undefined;
  const { code, message, hint, details, retryable } = callback.outcome.error;
  return {
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
    source: "handler",
    isRetryable: retryable === true,
    outcome: "none",
  };
}

/** The failure of a call whose callback did not arrive in time. */
export const CALLBACK_TIMEOUT: Failure = {
  ...gatewayFailure("TIMEOUT", "the tool deferred its result to a callback, and no callback arrived in time"),
  outcome: "unknown",
};
