import type { JsonValue, ToolCallRecord } from "@yagate/protocol";

/** Why a tool call failed. */
export type ToolErrorRecord = NonNullable<ToolCallRecord["error"]>;

/** A failed tool call, as passed to `onToolError`. */
export interface ToolFailure extends ToolErrorRecord {
  readonly executionId: string;
  /** The arguments of the call. */
  readonly parameters: JsonValue;
  /** The gateway holds the call until this time (RFC 3339, by its clock). */
  readonly fallbackUntil: string;
}

/** A result that replaces the one that the failed call did not return: any JSON value. */
export interface ToolFallback {
  readonly result: unknown;
}

/** What `onToolError` returns. Without a result, the model reads the error. */
// biome-ignore lint/suspicious/noConfusingVoidType: a callback without a return statement has the type void
type Answer = ToolFallback | undefined | void;

/**
 * Supplies the result of a failed tool call. Called once for each failed call, and concurrently if several calls fail
 * at the same time.
 *
 * Not called for errors of the gateway itself (arguments, policy, approval, budget). If it throws, the model reads the
 * tool's error, and `fallbackErrors` in the result contains what was thrown.
 */
export type OnToolError = (error: ToolFailure) => Answer | Promise<Answer>;

/** A fallback that was not supplied. The execution continued without it. */
export interface FallbackError {
  readonly toolCallId: string;
  readonly toolName: string;
  /** What `onToolError` threw, or why the gateway rejected its result. */
  readonly error: unknown;
}
