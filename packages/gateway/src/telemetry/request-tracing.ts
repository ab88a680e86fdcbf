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

/** A request of the API that starts something which outlives it. */
export interface TracedRequest {
  readonly method: string;
  /** With `:name` parameters. */
  readonly route: string;
  readonly path: string;
  readonly headers: Parameters<typeof readTraceContext>[0];
}

/** The trace of one request. */
export interface RequestTrace {
  /** What the request starts goes on from here; undefined: in no trace. */
  readonly context: TraceContext | undefined;
  /** To be called once, with the status of the answer. */
  end(status: number): void;
}

/** Finds or begins the trace of a request. */
export type RequestTracing = (request: TracedRequest) => RequestTrace;

/**
 * Traces requests: each gets a span below the one that its `traceparent` names. Where the application around the gateway
 * has a span for the request already, as HTTP instrumentation makes one, that is the one. Without a tracer the
 * `traceparent` is passed on as it came.
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

/** The OpenTelemetry context in which what belongs to this trace begins. */
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
  // What a tracer that does nothing makes.
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
