import type { Failure } from "@yagate/execution-machine/call-outcome";
import { ERROR_TABLE, type ErrorCode } from "@yagate/protocol";

/** Creates a failure with one of the gateway's own codes. `isRetryable` defaults to the value in `ERROR_TABLE`. */
export function gatewayFailure(
  code: ErrorCode,
  message: string,
  details: Pick<Failure, "outcome"> & Partial<Omit<Failure, "code" | "message" | "source">>,
): Failure {
  return { code, message, source: "gateway", isRetryable: ERROR_TABLE[code].isRetryable, ...details };
}

/** Creates the failure of a call if no byte of its request was sent. The hint tells the model what to do next. */
export function unsentFailure(
  code: ErrorCode,
  message: string,
  more: Partial<Pick<Failure, "hint" | "retryAfterMs" | "isRetryable" | "developerMessage">> = {},
): Failure {
  return gatewayFailure(code, message, { outcome: "none", ...more });
}

/** Returns a decision not to send a call, with its reason. */
export function refused(...failure: Parameters<typeof unsentFailure>): { readonly failure: Failure } {
  return { failure: unsentFailure(...failure) };
}

export const NOT_AS_APPROVED = unsentFailure(
  "POLICY_DENIED",
  "the request is no longer the one that was approved; nothing was sent",
  { hint: "if the call is still needed, make it again: a person will then decide on the new request" },
);
export const CANCELLED_UNSENT = unsentFailure("CANCELLED", "the call was cancelled before it was sent");
export const OUT_OF_TIME = unsentFailure("TIMEOUT", "there was no time left to call the tool");

/** Thrown when the endpoint has no free concurrency slot and its queue is full. Nothing was sent. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
}
