import { ERROR_TRAITS, type ErrorCode, type HandlerError, type ToolCall } from "@yagate/protocol";
import type { CallOutcome } from "./idempotency/store.ts";

/** The outcome of a run that returned: `{ "result": … }`, with `null` for nothing. Throws what is not JSON. */
export function resultOutcome(call: ToolCall, result: unknown): CallOutcome {
  const text = JSON.stringify(result ?? null);
  // JSON.stringify has no text for a function or a symbol.
  if (text === undefined) throw new TypeError("a tool's result must be JSON");
  return { status: 200, body: `{"result":${text}}`, attempt: call.attempt };
}

/** The outcome of a run whose result comes later. It holds for good: nobody else is to begin the work again. */
export function pendingOutcome({ attempt }: ToolCall): CallOutcome {
  return { status: 202, body: '{"pending":true}', attempt };
}

/** The outcome of a run that failed on purpose. */
export function toolErrorOutcome(call: ToolCall, error: HandlerError): CallOutcome {
  return { status: 200, body: JSON.stringify({ error }), attempt: call.attempt };
}

/** An outcome that the kit decides; the status is the code's. */
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
