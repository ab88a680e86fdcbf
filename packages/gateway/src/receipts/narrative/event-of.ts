import type { ExecutionEvent, ExecutionEventType } from "@yagate/protocol";

/** One kind of event. */
export type EventOf<Type extends ExecutionEventType> = Extract<ExecutionEvent, { type: Type }>;

/** What sentences need to know of what was told before. */
export interface NarrativeContext {
  /** Null for the bootstrap key. */
  readonly keyId: string | null;
  /** Whether the gateway itself kept the attempt of this id from leaving. */
  isBlocked(attemptId: string): boolean;
  /** The name of a tool call. */
  nameOf(toolCallId: string): string;
}
