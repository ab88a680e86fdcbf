import type { ExecutionEvent } from "@yagate/protocol";
import type { Effect } from "../../src/effects.ts";
import type { MachineInput } from "../../src/inputs.ts";
import { resumptionOf } from "../../src/resumption.ts";
import type { CallState, ExecutionState } from "../../src/state.ts";
import { GUARDED } from "./moves.ts";

/** What a person must allow runs when they did, with the arguments that they saw or wrote. */
export function approvalBreach({ id, name, parameters, approval }: CallState): readonly string[] {
  if (!GUARDED.has(name)) return [];
  if (approval?.status !== "approved") return [`${id} runs without an approval`];
  const edited = approval.resolution?.parameters;
  return JSON.stringify(parameters) === JSON.stringify(edited ?? {}) ? [] : [`${id} runs with different arguments`];
}

/** Past the wall time everything ends; when it is cancelled or another limit is reached, reads do. */
export function endingBreach(effect: Effect, { isCancelRequested, limitReached }: ExecutionState): readonly string[] {
  if (effect.type !== "attempt") return [];
  const isClosing = isCancelRequested || limitReached !== null;
  const isRead = effect.call.sideEffect === "read_only";
  const isEnded = limitReached?.limit === "maxWallTimeMs" || (isClosing && isRead);
  // The call of an attempt that reads a response was sent before.
  const mustBeSent = resumptionOf(effect.call) !== undefined;
  const isTooLate = !mustBeSent && (isClosing || effect.call.callback !== null);
  const isRight = effect.isAborted === isEnded && effect.isTooLateToSend === isTooLate;
  return isRight ? [] : [`an attempt of ${effect.call.name} is ended, or not, against the rule`];
}

/** What the machine writes of an attempt is what was reported of it, and of no other. */
export function reportBreach(event: ExecutionEvent, inputs: readonly MachineInput[]): readonly string[] {
  if (event.type !== "attempt.finished" || event.isInterruption === true) return [];
  const finished = inputs.find((input) => input.type === "attempt_finished" && input.attemptId === event.attemptId);
  if (finished?.type !== "attempt_finished") return ["an attempt ended without an input"];
  const isHopeless = "failure" in finished.outcome && !finished.outcome.failure.isRetryable;
  return isHopeless && event.retryAt !== undefined ? ["what cannot help is tried again"] : [];
}

/** A waiting execution has nothing to start, so nothing follows in its step. A restart may only pause. */
export function waitingBreach(step: readonly ExecutionEvent[]): readonly string[] {
  const place = step.findIndex((event) => event.type === "execution.waiting" && event.reason !== "restart");
  const next = place < 0 ? undefined : step[place + 1];
  return next === undefined ? [] : [`waits, and goes on in the same step with ${next.type}`];
}
