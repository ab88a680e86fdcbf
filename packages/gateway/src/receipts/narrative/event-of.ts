import type { ExecutionEvent, ExecutionEventType } from "@yagate/protocol";

/** One kind of event. */
export type EventOf<Type extends ExecutionEventType> = Extract<ExecutionEvent, { type: Type }>;

/** What a sentence needs from the entries before it. */
export interface NarrativeContext {
  /** The key that started the execution; null for the bootstrap key. */
  readonly keyId: string | null;
  /** Whether the gateway blocked this attempt before it was sent. */
  isBlocked(attemptId: string): boolean;
  /** The name of a tool call. */
  nameOf(toolCallId: string): string;
}
