import {
  type Context,
  context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import {
  formatTraceparent,
  parseTraceparent,
  readTraceContext,
  type TraceContext,
} from "@yagate/lib/http/trace-context";
import type { TracerSource } from "./tracer-source.ts";

/** An API request that starts work which continues after the response. */
export interface TracedRequest {
  readonly method: string;
  /** The route, with `:name` parameters. */
  readonly route: string;
  readonly path: string;
  readonly headers: Parameters<typeof readTraceContext>[0];
}

/** The trace of one request. */
export interface RequestTrace {
  /** The parent of everything that the request starts; undefined if the request belongs to no trace. */
  readonly context: TraceContext | undefined;
  /** Ends the span of the request. Call this once, with the status of the response. */
  end(status: number): void;
}

/** Finds or starts the trace of a request. */
export type RequestTracing = (request: TracedRequest) => RequestTrace;

/**
 * Creates the function that traces requests. Each request gets a span whose parent is the span in its `traceparent`. If
 * the embedding application already has an active span for the request (from HTTP instrumentation), that span is used
 * instead. Without a tracer, the `traceparent` is passed on unchanged.
 */
export function createRequestTracing(tracerOf: TracerSource): RequestTracing {
  return (request) => {
    const tracer = tracerOf();
    const incoming = readTraceContext(request.headers);
    if (tracer === undefined) return { context: incoming, end() {} };
    const active = trace.getSpanContext(context.active());
    if (active !== undefined && trace.isSpanContextValid(active)) return { context: toTraceContext(active), end() {} };
    const { method, route, path } = request;
    const span = tracer.startSpan(
      `${method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: { "http.request.method": method, "http.route": route, "url.path": path, "url.scheme": "http" },
      },
      contextOf(incoming),
    );
    return { context: toTraceContext(span.spanContext()), end: (status) => endOf(span, status) };
  };
}

/** Returns the OpenTelemetry context for new spans of this trace. */
export function contextOf(traceContext: TraceContext | undefined): Context {
  const parent = traceContext === undefined ? undefined : parseTraceparent(traceContext.traceparent);
  if (traceContext === undefined || parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, flags: traceFlags } = parent;
  const { tracestate } = traceContext;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags,
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
  });
}

function toTraceContext({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext | undefined {
  // A no-op tracer creates invalid span contexts.
  if (!trace.isSpanContextValid({ traceId, spanId, traceFlags })) return undefined;
  const tracestate = traceState?.serialize() ?? "";
  return {
    traceparent: formatTraceparent({ traceId, spanId, flags: traceFlags }),
    ...(tracestate === "" ? {} : { tracestate }),
  };
}

function endOf(span: Span, status: number): void {
  span.setAttribute("http.response.status_code", status);
  if (status >= 500) {
    span.setAttribute("error.type", String(status));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
