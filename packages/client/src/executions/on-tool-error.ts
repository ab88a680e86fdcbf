import type { JsonValue, ToolCallRecord } from "@yagate/protocol";

/** Why a tool call failed. */
export type ToolErrorRecord = NonNullable<ToolCallRecord["error"]>;

/** A tool call whose handler failed, as `onToolError` gets it. */
export interface ToolFailure extends ToolErrorRecord {
  readonly executionId: string;
  /** What the model asked the tool for. */
  readonly parameters: JsonValue;
  /** The gateway waits for an answer until then; RFC 3339, by its clock. */
  readonly fallbackUntil: string;
}

/** A result in place of the one that the handler did not give: any value that JSON can hold. */
export interface ToolFallback {
  readonly result: unknown;
}

/** What `onToolError` may answer; nothing means that the model is told of the error. */
// biome-ignore lint/suspicious/noConfusingVoidType: a callback without a return statement has the type void
type Answer = ToolFallback | undefined | void;

/**
 * Asked once for each failed tool call, at the same time for calls that fail at the same time.
 *
 * It is not asked about the gateway's own refusals (arguments, policy, approval, budget). When it throws, the model is
 * told of the tool's error as if nothing had been returned, and what it threw is in the result's `fallbackErrors`.
 */
export type OnToolError = (error: ToolFailure) => Answer | Promise<Answer>;

/** A fallback that could not be given. The execution went on without it. */
export interface FallbackError {
  readonly toolCallId: string;
  readonly toolName: string;
  /** What `onToolError` threw, or why its answer was not taken. */
  readonly error: unknown;
}
