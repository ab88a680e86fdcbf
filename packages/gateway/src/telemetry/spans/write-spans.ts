import { type Context, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { defined } from "@yagate/lib/objects/defined";
import { withKnownIds } from "../span-ids.ts";
import type { PlannedSpan } from "./planned-span.ts";

/**
 * Writes a span and all below it.
 *
 * @param traceId - of the root, where its context holds no trace to go on with.
 */
export function writeSpans(tracer: Tracer, plan: PlannedSpan, parent: Context, traceId?: string): void {
  const { name, kind, attributes, spanId, startedAt, endedAt = startedAt } = plan;
  // As dates: a number before this process began would be taken for a time since then.
  const startTime = new Date(startedAt);
  const ids = { ...defined({ spanId, traceId }) };
  const span = withKnownIds(ids, () => tracer.startSpan(name, { kind, attributes, startTime }, parent));
  if (!span.isRecording()) return;
  for (const { name: happened, at, attributes: of } of plan.events) span.addEvent(happened, of, new Date(at));
  if (plan.isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
  const { traceId: ownTraceId, spanId: ownId, traceFlags } = span.spanContext();
  if (spanId !== undefined && ownId !== spanId) {
    // Another generator of ids made it: whoever was told of the span hangs below an id that nothing has.
    span.addLink({ context: { traceId: ownTraceId, spanId, traceFlags } });
  }
  const context = trace.setSpan(parent, span);
  for (const child of plan.children) writeSpans(tracer, child, context);
  span.end(new Date(Math.max(startedAt, endedAt)));
}
