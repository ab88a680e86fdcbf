import type { Failure } from "./call-outcome.ts";
import type { EventLog } from "./event-log.ts";
import type { Command } from "./inputs.ts";
import { type CallState, isClosing } from "./state.ts";
import { gatewayFailure } from "./tool-error.ts";

/**
 * Records a callback of an asynchronous call. Does nothing if another outcome came first or the callback is too late.
 */
export function interpretCallback(
  log: EventLog,
  call: CallState | undefined,
  { bodyHash, outcome }: Extract<Command, { type: "callback" }>,
): void {
  if (call === undefined || !mayReceive(log, call)) return;
  log.append({ type: "callback.received", toolCallId: call.id, bodyHash, ...outcome });
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
