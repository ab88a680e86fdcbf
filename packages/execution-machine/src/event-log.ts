import { createTimestampFormat } from "@yagate/lib/text/timestamp-format";
import type { ExecutionEvent } from "@yagate/protocol";
import type { CallState, ExecutionState, TurnState } from "./state.ts";
import { WorkingState } from "./working-state.ts";

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
 * Collects the events of one step. The state takes each event immediately, so that the next decision is based on it.
 * The state that the step starts from does not change.
 */
export class EventLog {
  /** Time of the step, in ms since the epoch. */
  readonly now: number;
  readonly #events: ExecutionEvent[] = [];
  readonly #working: WorkingState;

  /** @param now - time of the step, in ms since the epoch. */
  constructor(start: ExecutionState, now: number) {
    this.#working = new WorkingState(start);
    this.now = now;
  }

  /** The state after the events so far. The next event may change this object. */
  get state(): ExecutionState {
    return this.#working.state;
  }

  get events(): readonly ExecutionEvent[] {
    return this.#events;
  }

  append(body: EventBody): void {
    const { lastSeq, executionId } = this.state;
    const at = currentTimestamp(this.now);
    const event: ExecutionEvent = { ...body, seq: lastSeq + 1, at, executionId };
    this.#events.push(event);
    // A timestamp has whole milliseconds.
    this.#working.take(event, Math.trunc(this.now));
  }
}

// The executions of a process share the timestamp of the current millisecond, because creating a timestamp takes longer
// than folding an event.
const format = createTimestampFormat();
let current = { ms: Number.NaN, text: "" };

function currentTimestamp(now: number): string {
  if (current.ms !== now) current = { ms: now, text: format(now) };
  return current.text;
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
