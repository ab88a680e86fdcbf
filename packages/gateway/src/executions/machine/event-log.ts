import type { ExecutionEvent } from "@yagate/protocol";
import { fold } from "./fold.ts";
import type { CallState, ExecutionState, TurnState } from "./state.ts";

type Known<Event> = Event extends unknown
  ? {
      [Key in keyof Event as string extends Key
        ? never
        : Key extends "seq" | "at" | "executionId"
          ? never
          : Key]: Event[Key];
    }
  : never;

/** An event before it is appended to the log. */
export type EventBody = Known<ExecutionEvent>;

/**
 * Collects the events of one step. Each event is folded into the state immediately, so that the next decision is based
 * on it.
 */
export interface EventLog {
  readonly state: ExecutionState;
  readonly events: readonly ExecutionEvent[];
  readonly now: number;
  append(body: EventBody): void;
}

/** Creates a log that continues from the state `start` at the time `now`, in ms since the epoch. */
export function createEventLog(start: ExecutionState, now: number): EventLog {
  const events: ExecutionEvent[] = [];
  const at = toTimestamp(now);
  let state = start;
  return {
    get state() {
      return state;
    },
    events,
    now,
    append(body) {
      const event: ExecutionEvent = { ...body, seq: state.lastSeq + 1, at, executionId: state.executionId };
      events.push(event);
      state = fold(state, event);
    },
  };
}

/** Converts a time in ms since the epoch to the timestamp format of events. */
export function toTimestamp(at: number): string {
  return new Date(at).toISOString();
}

export function currentTurn(log: EventLog): TurnState | undefined {
  return log.state.turns.at(-1);
}

export function callOf(log: EventLog, toolCallId: string): CallState {
  const call = currentTurn(log)?.calls.find((candidate) => candidate.id === toolCallId);
  if (call === undefined) throw new Error("expected a call of the current turn");
  return call;
}
