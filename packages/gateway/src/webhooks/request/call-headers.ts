import type { TraceContext } from "@yagate/lib/http/trace-context";
import { STANDARD_WEBHOOK_HEADERS } from "@yagate/protocol";

/** Names of the headers that hold signatures. */
export const CALL_HEADERS = {
  signature: "X-YA-Signature",
  webhookSignature: STANDARD_WEBHOOK_HEADERS.signature,
} as const;

/** Headers that every attempt has its own value of. */
export const HEADERS_OF_ATTEMPT: ReadonlySet<string> = new Set([
  CALL_HEADERS.signature,
  CALL_HEADERS.webhookSignature,
  STANDARD_WEBHOOK_HEADERS.timestamp,
  "traceparent",
]);

/** Passed on as it came, where something came: it says nothing of the call. */
export const TRACE_STATE = "tracestate";

/** The headers of one attempt, in the order in which they are sent. */
export function callHeaders(
  toolCallId: string,
  ofAttempt: Readonly<Record<"signature" | "webhookSignature" | "timestamp", string>> & {
    readonly trace: TraceContext;
  },
): Readonly<Record<string, string>> {
  return {
    "Content-Type": "application/json",
    [CALL_HEADERS.signature]: ofAttempt.signature,
    "Idempotency-Key": toolCallId,
    [STANDARD_WEBHOOK_HEADERS.id]: toolCallId,
    [STANDARD_WEBHOOK_HEADERS.timestamp]: ofAttempt.timestamp,
    [CALL_HEADERS.webhookSignature]: ofAttempt.webhookSignature,
    ...ofAttempt.trace,
  };
}
