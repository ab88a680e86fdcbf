import { type CreateExecution, createExecutionSchema, type StreamEvent } from "@yagate/protocol";
import type { OnToolError } from "./on-tool-error.ts";
import type { WaitOptions } from "./wait-options.ts";

/** What an agent is asked to do; the fields of `POST /v1/agents/:id/executions`, and how the request is made. */
export interface StartRequest extends Omit<CreateExecution, "fallback"> {
  /**
   * How long each failed tool call is held for a fallback, in ms: 1 to 600 000, default 30 000. `start` holds calls only
   * when it is given, `execute` and `stream` when `onToolError` is.
   */
  readonly fallbackWaitMs?: number | undefined;
  /**
   * At most 255 characters. The same key, agent and body get the same execution for 24 h, so that a process that was
   * restarted can join its own execution again. Default: a new one.
   */
  readonly idempotencyKey?: string | undefined;
  /** Ends the waiting, not the execution: `executions.cancel` does that. */
  readonly signal?: AbortSignal | undefined;
}

/** What can be asked of a stream. */
export interface StreamRequest extends StartRequest, WaitOptions {
  /** Answers tool calls whose handler failed. */
  readonly onToolError?: OnToolError | undefined;
}

/** What can be asked of `execute`. */
export interface ExecuteRequest extends StreamRequest {
  /** Called with each event, in order, and not awaited. If it throws, `execute` stops listening and rejects with that. */
  readonly onEvent?: ((event: StreamEvent) => void) | undefined;
}

const BODY_FIELDS = Object.keys(createExecutionSchema.shape).filter((name) => name !== "fallback");

/** The names of what can be asked. */
export const START_OPTIONS = [...BODY_FIELDS, "fallbackWaitMs", "idempotencyKey", "signal"];
export const STREAM_OPTIONS = [...START_OPTIONS, "onToolError", "onWaiting", "maxWaitMs"];
export const EXECUTE_OPTIONS = [...STREAM_OPTIONS, "onEvent"];

/** The request's body. `isHeld`: failed tool calls wait for a fallback. */
export function toExecutionBody(request: ExecuteRequest, isHeld: boolean): CreateExecution {
  const { fallbackWaitMs, idempotencyKey: _key, signal: _signal, onToolError: _ask, ...rest } = request;
  const { onEvent: _tell, onWaiting: _waiting, maxWaitMs: _maxWait, ...body } = rest;
  if (!isHeld) return body;
  return { ...body, fallback: fallbackWaitMs === undefined ? {} : { waitMs: fallbackWaitMs } };
}
