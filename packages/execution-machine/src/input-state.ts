import type { ExecutionEvent } from "@yagate/protocol";
import type { CallContinuation } from "./call-outcome.ts";
import type { CallState, InputState } from "./state.ts";

/** Returns the state of a round that has just begun. */
export function toInput(event: Extract<ExecutionEvent, { type: "input.requested" }>): InputState {
  const { round, questions, requestState, expiresAt } = event;
  const isPoll = questions.length === 0;
  return {
    round,
    status: isPoll ? "answered" : "pending",
    questions,
    ...(requestState === undefined ? {} : { requestState }),
    expiresAt: Date.parse(expiresAt),
    answers: isPoll ? {} : null,
  };
}

/** Returns the round of a call that starts over. Only its number counts. */
export function startOver({ requestState: _requestState, ...input }: InputState): InputState {
  return { ...input, answers: null };
}

/** Returns what the next attempt of a call sends to continue it; undefined if the attempt starts the call. */
export function continuationOf({ input }: Pick<CallState, "input">): CallContinuation | undefined {
  if (input?.answers === null || input?.answers === undefined) return undefined;
  const { requestState, answers } = input;
  return { answers, ...(requestState === undefined ? {} : { requestState }) };
}
