import type { JsonValue, ToolCallRecord } from "@yagate/protocol";

/** Why a tool call failed. */
export type ToolErrorRecord = NonNullable<ToolCallRecord["error"]>;

/** A tool call whose handler failed, as passed to `onToolError`. */
export interface ToolFailure extends ToolErrorRecord {
  readonly executionId: string;
  /** The arguments of the call. */
  readonly parameters: JsonValue;
  /** The gateway holds the call until this time (RFC 3339, by its clock). */
  readonly fallbackUntil: string;
}

/** A result that replaces the missing one: any JSON value. */
export interface ToolFallback {
  readonly result: unknown;
}

/** The return value of `onToolError`. Without a result, the model reads the error. */
// biome-ignore lint/suspicious/noConfusingVoidType: a callback without a return statement has the type void
type Answer = ToolFallback | undefined | void;

/**
 * Called once for each failed tool call, concurrently for calls that fail at the same time.
 *
 * Not called for errors of the gateway itself (arguments, policy, approval, budget). If it throws, the model reads the
 * tool's error, and `fallbackErrors` of the result has what it threw.
 */
export type OnToolError = (error: ToolFailure) => Answer | Promise<Answer>;

/** A fallback that failed. The execution continued without it. */
export interface FallbackError {
  readonly toolCallId: string;
  readonly toolName: string;
  /** What `onToolError` threw, or why the gateway rejected its result. */
  readonly error: unknown;
}
