import { type Context, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { defined } from "@yagate/lib/objects/defined";
import { withKnownIds } from "../span-ids.ts";
import type { PlannedSpan } from "./planned-span.ts";

/**
 * Writes a span and its children.
 *
 * @param traceId - id of the trace, for a root span whose parent context has no trace.
 */
export function writeSpans(tracer: Tracer, plan: PlannedSpan, parent: Context, traceId?: string): void {
  const { name, kind, attributes, spanId, startedAt, endedAt = startedAt } = plan;
  // The times are passed as dates, because the SDK treats a number before the start of this process as a duration.
  const startTime = new Date(startedAt);
  const ids = { ...defined({ spanId, traceId }) };
  const span = withKnownIds(ids, () => tracer.startSpan(name, { kind, attributes, startTime }, parent));
  if (!span.isRecording()) return;
  for (const { name: happened, at, attributes: of } of plan.events) span.addEvent(happened, of, new Date(at));
  if (plan.isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
  const { traceId: ownTraceId, spanId: ownId, traceFlags } = span.spanContext();
  if (spanId !== undefined && ownId !== spanId) {
    // A different id generator created the span, so the handler's spans refer to an id that no span has. A link
    // connects the two.
    span.addLink({ context: { traceId: ownTraceId, spanId, traceFlags } });
  }
  const context = trace.setSpan(parent, span);
  for (const child of plan.children) writeSpans(tracer, child, context);
  span.end(new Date(Math.max(startedAt, endedAt)));
}
