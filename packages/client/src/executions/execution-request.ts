import { type CreateExecution, createExecutionSchema, type StreamEvent } from "@yagate/protocol";
import type { OnToolError } from "./on-tool-error.ts";
import type { WaitOptions } from "./wait-options.ts";

/** A new execution: the fields of `POST /v1/agents/:id/executions`, and options of the request. */
export interface StartRequest extends Omit<CreateExecution, "fallback"> {
  /**
   * How long to hold each failed tool call for a fallback, in ms: 1 to 600 000, default 30 000. `start` holds calls
   * only if this is set, `execute` and `stream` if `onToolError` is set.
   */
  readonly fallbackWaitMs?: number | undefined;
  /**
   * At most 255 characters. For 24 h the same key, agent and body get the same execution, so that a restarted process
   * can continue with its execution. Default: a new key.
   */
  readonly idempotencyKey?: string | undefined;
  /** Stops waiting. The execution continues; `executions.cancel` stops it. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `agents.stream`. */
export interface StreamRequest extends StartRequest, WaitOptions {
  /** Supplies results for tool calls whose handler failed. */
  readonly onToolError?: OnToolError | undefined;
}

/** Options of `agents.execute`. */
export interface ExecuteRequest extends StreamRequest {
  /**
   * Called with each event, in order, and not awaited. If it throws, `execute` stops listening and rejects with that
   * error.
   */
  readonly onEvent?: ((event: StreamEvent) => void) | undefined;
}

const BODY_FIELDS = Object.keys(createExecutionSchema.shape).filter((name) => name !== "fallback");

/** The names of all options. */
export const START_OPTIONS = [...BODY_FIELDS, "fallbackWaitMs", "idempotencyKey", "signal"];
export const STREAM_OPTIONS = [...START_OPTIONS, "onToolError", "onWaiting", "maxWaitMs"];
export const EXECUTE_OPTIONS = [...STREAM_OPTIONS, "onEvent"];

/** The body of the request. `isHeld`: failed tool calls wait for a fallback. */
export function toExecutionBody(request: ExecuteRequest, isHeld: boolean): CreateExecution {
  const { fallbackWaitMs, idempotencyKey: _key, signal: _signal, onToolError: _ask, ...rest } = request;
  const { onEvent: _tell, onWaiting: _waiting, maxWaitMs: _maxWait, ...body } = rest;
  if (!isHeld) return body;
  return { ...body, fallback: fallbackWaitMs === undefined ? {} : { waitMs: fallbackWaitMs } };
}
