import type { EventLog } from "./event-log.ts";
import type { Command, Failure } from "./inputs.ts";
import { type CallState, isClosing } from "./state.ts";
import { gatewayFailure } from "./tool-error.ts";

/** Records what was brought of an asynchronous call; nothing when something was there first, or it is too late. */
export function interpretCallback(
  log: EventLog,
  call: CallState | undefined,
  { bodyHash, answer }: Extract<Command, { type: "callback" }>,
): void {
  if (call === undefined || !mayReceive(log, call)) return;
  log.append({ type: "callback.received", toolCallId: call.id, bodyHash, ...answer });
}

/** It counts from the moment of the first attempt on, so also while the answer that announces it is still on its way. */
function mayReceive(log: EventLog, { callbackUntil, callback, fallback, finishedAt }: CallState): boolean {
  if (isClosing(log.state) || finishedAt !== null) return false;
  return callbackUntil !== null && log.now < callbackUntil && callback === null && fallback === null;
}

/** Whether its result was brought, and the owner has yet to act on it. */
export function hasReceivedResult({ callback }: CallState): boolean {
  return callback !== null && !callback.isTaken && "result" in callback.answer;
}

/** Why the call failed, if that is what was brought and nobody has acted on it yet. */
export function callbackFailure({ callback }: CallState): Failure | undefined {
  if (callback === null || callback.isTaken || "result" in callback.answer) return undefined;
  const { code, message, hint, details, retryable } = callback.answer.error;
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

/** Why a call ends whose result did not come in time. */
export const CALLBACK_TIMEOUT: Failure = {
  ...gatewayFailure("TIMEOUT", "the tool said that its result comes later, and it did not come in time"),
  outcome: "unknown",
};
