import { completeCall } from "./complete-call.ts";
import type { EventLog } from "./event-log.ts";
import type { MachineEnvironment } from "./execution-config.ts";
import type { Command, Failure } from "./inputs.ts";
import type { CallState } from "./state.ts";
import { gatewayFailure } from "./tool-error.ts";

/** Records what was brought of an asynchronous call; nothing when something was there first, or it is too late. */
export function interpretCallback(
  log: EventLog,
  call: CallState | undefined,
  { bodyHash, answer }: Extract<Command, { type: "callback" }>,
): void {
  if (call === undefined || !mayBeBrought(log, call)) return;
  log.append({ type: "callback.received", toolCallId: call.id, bodyHash, ...answer });
}

/** It counts from the moment of the first attempt on, so also while the answer that announces it is still on its way. */
function mayBeBrought(log: EventLog, { callbackUntil, callback, fallback, finishedAt }: CallState): boolean {
  const { isCancelRequested, limitReached } = log.state;
  if (isCancelRequested || limitReached !== null || finishedAt !== null) return false;
  return callbackUntil !== null && log.now < callbackUntil && callback === null && fallback === null;
}

/** Whether its result was brought, and the owner has yet to act on it. */
export function isBrought({ callback }: CallState): boolean {
  return callback !== null && !callback.isTaken && "result" in callback.answer;
}

/** Ends a call with the result that was brought, if there is one. */
export function takeCallback(
  log: EventLog,
  call: CallState,
  environment: Pick<MachineEnvironment, "project">,
): boolean {
  const { cost, callback } = call;
  if (callback === null || callback.isTaken || !("result" in callback.answer)) return false;
  completeCall(log, call, { result: callback.answer.result, via: "callback", cost }, environment);
  return true;
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

/** Whether the result is waited for, and nothing else of the call. */
export function isWaitingForCallback({ status }: CallState): boolean {
  return status === "waiting_callback";
}

/** Why a call ends whose result did not come in time. */
export const CALLBACK_TIMEOUT: Failure = {
  ...gatewayFailure("TIMEOUT", "the tool said that its result comes later, and it did not come in time"),
  outcome: "unknown",
};
