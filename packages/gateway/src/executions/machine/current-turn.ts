import type { EventLog } from "./event-log.ts";
import type { CallState, TurnState } from "./state.ts";

export function currentTurn(log: EventLog): TurnState | undefined {
  return log.state.turns.at(-1);
}

export function callOf(log: EventLog, toolCallId: string): CallState {
  const call = currentTurn(log)?.calls.find((candidate) => candidate.id === toolCallId);
  if (call === undefined) throw new Error("expected a call of the current turn");
  return call;
}

/** Whether the execution only brings to an end what is on its way. */
export function isClosing(log: EventLog): boolean {
  return log.state.isCancelRequested || log.state.limitReached !== null;
}
