import type { Resumption } from "@yagate/protocol";
import { mayBeInterruptedAgain } from "./attempt.ts";
import type { CallAnswer, Failure } from "./call-outcome.ts";
import { currentTurn, type EventLog } from "./event-log.ts";
import type { ToolTraits } from "./execution-config.ts";
import type { MachineInput } from "./inputs.ts";
import { type CallState, isClosing, remainingWallMs, runningAttempt } from "./state.ts";
import { gatewayFailure } from "./tool-error.ts";

/** Records that another process could read the response to a running attempt. */
export function recordResumable(log: EventLog, input: Extract<MachineInput, { type: "attempt_resumable" }>): void {
  const { toolCallId, attemptId, resumption } = input;
  const call = currentTurn(log)?.calls.find(({ id }) => id === toolCallId);
  const attempt = call === undefined ? undefined : runningAttempt(call);
  if (attempt?.id !== attemptId || call?.resumption?.eventId === resumption.eventId) return;
  log.append({ type: "attempt.resumable", toolCallId, attemptId, number: attempt.number, resumption });
}

/** Returns whether the response to an interrupted attempt is read by a further attempt. */
export function mayResume(log: EventLog, call: CallState, traits: ToolTraits | undefined): boolean {
  if (call.resumption === null || traits === undefined || call.callback !== null || isClosing(log.state)) return false;
  // The time since the last event does not count, because no process was running.
  const stoppedAt = log.state.lastEventAt ?? log.now;
  return mayBeInterruptedAgain(call.attempts) && remainingWallMs(log.state, stoppedAt) > 0;
}

/**
 * Returns the outcome of an attempt that only reads a response. If the response was not read, the earlier attempt may
 * still have taken effect.
 */
export function resumedAnswer(answer: CallAnswer, httpStatus: number | undefined): CallAnswer {
  const isUnread = httpStatus === undefined || httpStatus >= 400;
  return "failure" in answer && answer.failure.outcome === "none" && isUnread ? { resumptionLost: true } : answer;
}

/** Returns what an attempt of a call continues; undefined if it calls the tool. */
export function resumptionOf(call: CallState): Resumption | undefined {
  return runningAttempt(call)?.isResumption === true ? (call.resumption ?? undefined) : undefined;
}

export const RESUMPTION_LOST: Failure = {
  ...gatewayFailure("OUTCOME_UNKNOWN", "the gateway stopped while this call was running, and its response is lost"),
  outcome: "unknown",
};
