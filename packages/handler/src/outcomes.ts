import { ERROR_TRAITS, type ErrorCode, type HandlerError, type ToolCall } from "@yagate/protocol/calls";
import type { CallOutcome } from "./idempotency/store.ts";

/**
 * Creates the outcome of a run that returned: `{ "result": … }`, with `null` for `undefined`. Throws if the result is
 * not JSON.
 */
export function resultOutcome(call: ToolCall, result: unknown): CallOutcome {
  const text = JSON.stringify(result ?? null);
  // JSON.stringify returns undefined for a function or a symbol.
  if (text === undefined) throw new TypeError("a tool's result must be JSON");
  return { status: 200, body: `{"result":${text}}`, attempt: call.attempt };
}

/**
 * Creates the outcome of a run whose result will be delivered later. The outcome is final, so that the work is not
 * started again.
 */
export function pendingOutcome({ attempt }: ToolCall): CallOutcome {
  return { status: 202, body: '{"pending":true}', attempt };
}

/** Creates the outcome of a run that threw a `ToolError`. */
export function toolErrorOutcome(call: ToolCall, error: HandlerError): CallOutcome {
  return { status: 200, body: JSON.stringify({ error }), attempt: call.attempt };
}

/** Creates the outcome for an error of the kit itself, with the HTTP status of its code. */
export function kitErrorOutcome(
  call: ToolCall,
  code: ErrorCode,
  message: string,
  more: Omit<HandlerError, "code" | "message"> = {},
): CallOutcome {
  return {
    status: ERROR_TRAITS[code].status,
    body: JSON.stringify({ error: { code, message, ...more } }),
    attempt: call.attempt,
  };
}
