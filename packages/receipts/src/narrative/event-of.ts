import type { ExecutionEvent, ExecutionEventType } from "@yagate/protocol";

/** An event of one type. */
export type EventOf<Type extends ExecutionEventType> = Extract<ExecutionEvent, { type: Type }>;

/** The facts from earlier entries that a sentence may contain. */
export interface NarrativeContext {
  /** Id of the key that started the execution; null for the bootstrap key. */
  readonly keyId: string | null;
  /** Returns whether the gateway blocked this attempt before it was sent. */
  isBlocked(attemptId: string): boolean;
  /** Returns the name of the called tool. */
  nameOf(toolCallId: string): string;
}
