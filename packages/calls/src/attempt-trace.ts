import {
  attemptSpanId,
  executionTraceId,
  formatTraceparent,
  parseTraceparent,
  type TraceContext,
} from "@yagate/lib/http/trace-context";
import type { ToolCall } from "./port.ts";

/**
 * Returns the W3C trace of an attempt. All attempts of an execution share one trace: that of the request that started
 * it, or one whose id is derived from the execution's id. The callee's spans are children of the attempt's span, whose
 * id is derived from the attempt. If the gateway records no spans, they are children of the caller's span.
 */
export function attemptTrace(
  { executionId, toolCallId, attempt, trace }: Pick<ToolCall, "executionId" | "toolCallId" | "attempt" | "trace">,
  isRecorded: boolean,
): TraceContext {
  const spanId = attemptSpanId(toolCallId, attempt);
  const parent = trace === undefined ? undefined : parseTraceparent(trace.traceparent);
  if (trace === undefined || parent === undefined) {
    return { traceparent: formatTraceparent({ traceId: executionTraceId(executionId), spanId, flags: 1 }) };
  }
  return isRecorded ? { ...trace, traceparent: formatTraceparent({ ...parent, spanId }) } : { ...trace };
}
