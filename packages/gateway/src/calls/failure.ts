import { ERROR_TABLE, type ErrorCode } from "@yagate/protocol";
import type { AttemptFailure } from "../webhooks/port.ts";

/** A failure in one of the gateway's own codes; retryable as the code's table says, unless told otherwise. */
export function gatewayFailure(
  code: ErrorCode,
  message: string,
  details: Pick<AttemptFailure, "outcome"> & Partial<Omit<AttemptFailure, "code" | "message" | "source">>,
): AttemptFailure {
  return { code, message, source: "gateway", isRetryable: ERROR_TABLE[code].isRetryable, ...details };
}
