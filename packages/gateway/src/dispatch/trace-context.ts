import { hash } from "node:crypto";

/**
 * The W3C `traceparent` of an attempt. Derived from the ids, so that all attempts of an execution are in one trace and
 * a record can be matched with the handler's trace later.
 */
export function traceparent(executionId: string, toolCallId: string, attempt: number): string {
  const traceId = hash("sha256", executionId).slice(0, 32);
  const spanId = hash("sha256", `${toolCallId}.${attempt}`).slice(0, 16);
  return `00-${traceId}-${spanId}-01`;
}
