import {
  attemptSpanId,
  executionTraceId,
  formatTraceparent,
  parseTraceparent,
  type TraceContext,
} from "@yagate/lib/http/trace-context";

/** Which attempt, and in which trace. */
export interface TracedAttempt {
  readonly executionId: string;
  readonly toolCallId: string;
  readonly number: number;
  /** Of the execution; absent where it was started outside of any trace. */
  readonly trace?: TraceContext;
}

/**
 * The W3C headers of an attempt. All attempts of an execution are in one trace: that of whoever started it, or one that
 * follows from its id. The handler's spans hang below the attempt's own span, whose id follows from the attempt; where
 * the gateway records no spans they hang where the caller's trace came in.
 */
export function traceHeaders(
  { executionId, toolCallId, number, trace }: TracedAttempt,
  isRecorded: boolean,
): TraceContext {
  const spanId = attemptSpanId(toolCallId, number);
  const parent = trace === undefined ? undefined : parseTraceparent(trace.traceparent);
  if (trace === undefined || parent === undefined) {
    return { traceparent: formatTraceparent({ traceId: executionTraceId(executionId), spanId, flags: 1 }) };
  }
  return isRecorded ? { ...trace, traceparent: formatTraceparent({ ...parent, spanId }) } : { ...trace };
}
