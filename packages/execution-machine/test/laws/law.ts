import type { ExecutionEvent } from "@yagate/protocol";
import type { ExecutionConfig } from "../../src/execution-config.ts";
import type { ExecutionState } from "../../src/state.ts";

type EventOf<Type extends ExecutionEvent["type"]> = Extract<ExecutionEvent, { type: Type }>;

/** The state before an event, and the event. */
export interface Moment<Event extends ExecutionEvent = ExecutionEvent> {
  readonly before: ExecutionState;
  readonly after: ExecutionState;
  readonly event: Event;
  readonly at: number;
  /** A hold of an earlier call ended, and its caller had not answered. */
  readonly isCallerSilent: boolean;
}

/** A law gives the words for its breach, or nothing. */
export type Law = (moment: Moment, config: ExecutionConfig) => string | false | undefined;

export const is = <Type extends ExecutionEvent["type"]>(
  event: ExecutionEvent,
  ...types: Type[]
): event is EventOf<Type> => types.some((type) => event.type === type);

export const callsOf = (state: ExecutionState) => state.turns.flatMap((turn) => turn.calls);
export const callIn = (state: ExecutionState, id: string) => callsOf(state).find((call) => call.id === id);
export const isClosing = (state: ExecutionState) => state.isCancelRequested || state.limitReached !== null;
