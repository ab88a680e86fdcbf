import { ERROR_TABLE, type ErrorCode } from "@yagate/protocol";
import type { Failure } from "./port.ts";

/** A failure with one of the gateway's own codes; `isRetryable` is that of `ERROR_TABLE` by default. */
export function gatewayFailure(
  code: ErrorCode,
  message: string,
  details: Pick<Failure, "outcome"> & Partial<Omit<Failure, "code" | "message" | "source">>,
): Failure {
  return { code, message, source: "gateway", isRetryable: ERROR_TABLE[code].isRetryable, ...details };
}

/** A failure before anything left. The message tells the model what to do next. */
export function unsentFailure(
  code: ErrorCode,
  message: string,
  more: Partial<Pick<Failure, "hint" | "retryAfterMs" | "isRetryable" | "developerMessage">> = {},
): Failure {
  return gatewayFailure(code, message, { outcome: "none", ...more });
}

/** A decision not to send a call. */
export function refused(...failure: Parameters<typeof unsentFailure>): { readonly failure: Failure } {
  return { failure: unsentFailure(...failure) };
}

export const NOT_AS_APPROVED = unsentFailure(
  "POLICY_DENIED",
  "what would be sent is not what was approved; nothing was sent",
  { hint: "call the tool again if it is still needed: a person then decides on the call as it is now" },
);
export const CANCELLED_UNSENT = unsentFailure("CANCELLED", "the call was cancelled before it was sent");
export const OUT_OF_TIME = unsentFailure("TIMEOUT", "no time was left to call the tool");

/** The endpoint has no free concurrency slot, and its queue is full. Nothing was sent. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
}
