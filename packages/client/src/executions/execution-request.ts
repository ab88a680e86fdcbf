import { type CreateExecution, createExecutionSchema, type StreamEvent } from "@yagate/protocol";
import type { OnToolError } from "./on-tool-error.ts";
import type { WaitOptions } from "./wait-options.ts";

/** A new execution: the fields of `POST /v1/agents/:id/executions`, with options for the request. */
export interface StartRequest extends Omit<CreateExecution, "fallback"> {
  /**
   * How long the gateway holds each failed tool call for a fallback, in ms: 1 to 600,000, default 30,000. With `start`,
   * the gateway holds calls only if this option is set; with `execute` and `stream`, only if `onToolError` is set.
   */
  readonly fallbackWaitMs?: number | undefined;
  /**
   * 1 to 255 printable ASCII characters without spaces. For 24 hours, requests with the same key, agent and body return
   * the same execution, so a restarted process can find the execution that it started. Default: a new key.
   */
  readonly idempotencyKey?: string | undefined;
  /** Aborting this signal stops the wait. The execution continues; `executions.cancel` stops it. */
  readonly signal?: AbortSignal | undefined;
}

/** Options for `agents.stream`. */
export interface StreamRequest extends StartRequest, WaitOptions {
  /** Supplies results for failed tool calls. */
  readonly onToolError?: OnToolError | undefined;
}

/** Options for `agents.execute`. */
export interface ExecuteRequest extends StreamRequest {
  /**
   * Called with each event, in order; the return value is not awaited. If the function throws, `execute` stops
   * listening and rejects with that error.
   */
  readonly onEvent?: ((event: StreamEvent) => void) | undefined;
}

const BODY_FIELDS = Object.keys(createExecutionSchema.shape).filter((name) => name !== "fallback");

/** The names of all options of `agents.start`. */
export const START_OPTIONS = [...BODY_FIELDS, "fallbackWaitMs", "idempotencyKey", "signal"];
export const STREAM_OPTIONS = [...START_OPTIONS, "onToolError", "onWaiting", "maxWaitMs"];
export const EXECUTE_OPTIONS = [...STREAM_OPTIONS, "onEvent"];

/**
 * Builds the body of the request that starts an execution.
 *
 * @param isHeld - whether the gateway holds failed tool calls for a fallback.
 */
export function toExecutionBody(request: ExecuteRequest, isHeld: boolean): CreateExecution {
  const { fallbackWaitMs, idempotencyKey: _key, signal: _signal, onToolError: _ask, ...rest } = request;
  const { onEvent: _tell, onWaiting: _waiting, maxWaitMs: _maxWait, ...body } = rest;
  if (!isHeld) return body;
  return { ...body, fallback: fallbackWaitMs === undefined ? {} : { waitMs: fallbackWaitMs } };
}
