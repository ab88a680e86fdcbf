import type { JsonValue, ToolCallRecord } from "@yagate/protocol";

/** Describes why a tool call failed. */
export type ToolErrorRecord = NonNullable<ToolCallRecord["error"]>;

/** A failed tool call, as passed to `onToolError`. */
export interface ToolFailure extends ToolErrorRecord {
  readonly executionId: string;
  /** The arguments of the call. */
  readonly parameters: JsonValue;
  /** The time until which the gateway holds the call (RFC 3339, by the gateway's clock). */
  readonly fallbackUntil: string;
}

/** A result that the model reads instead of the error of a failed call: any JSON value. */
export interface ToolFallback {
  readonly result: unknown;
}

/** The return value of `onToolError`. If it contains no result, the model reads the error. */
// biome-ignore lint/suspicious/noConfusingVoidType: a callback without a return statement has the type void
type Answer = ToolFallback | undefined | void;

/**
 * Supplies the result of a failed tool call. Called once for each failed call, and concurrently if several calls fail
 * at the same time.
 *
 * Not called for errors that result from the gateway's own decisions (arguments, policy, approval, budget). If the function
 * throws, the model reads the tool's error, and `fallbackErrors` in the execution's result contains what was thrown.
 */
export type OnToolError = (error: ToolFailure) => Answer | Promise<Answer>;

/** A fallback that was not supplied. The execution continued without it. */
export interface FallbackError {
  readonly toolCallId: string;
  readonly toolName: string;
  /** What `onToolError` threw, or why the gateway rejected the fallback. */
  readonly error: unknown;
}
