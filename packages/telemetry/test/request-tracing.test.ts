import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { StackContextManager } from "@opentelemetry/sdk-trace";
import { expect, it, onTestFinished } from "vitest";
import { createRequestTracing } from "../src/request-tracing.ts";
import { createTracerSource } from "../src/tracer-source.ts";
import { createRecorder } from "./support/traced-world.ts";

const request = {
  method: "POST",
  route: "/v1/agents/:id/executions",
  path: "/v1/agents/agt_1/executions",
  headers: {},
};

it("goes on in the span that the application has for the request already, and makes none of its own", () => {
  context.setGlobalContextManager(new StackContextManager().enable());
  onTestFinished(() => context.disable());
  const recorder = createRecorder();
  const outer = recorder.provider.getTracer("app").startSpan("POST");
  const traceRequest = createRequestTracing(createTracerSource("1.0.0", recorder.provider));
  const traced = context.with(trace.setSpan(ROOT_CONTEXT, outer), () => traceRequest(request));
  traced.end(201);
  const { traceId, spanId } = outer.spanContext();
  expect(traced.context?.traceparent).toBe(`00-${traceId}-${spanId}-01`);
  expect(recorder.all()).toEqual([]);
});

it.each([
  [201, SpanStatusCode.UNSET, undefined],
  [404, SpanStatusCode.UNSET, undefined],
  [503, SpanStatusCode.ERROR, "503"],
])("has a span of a request that is answered %i", (status, code, errorType) => {
  const recorder = createRecorder();
  createRequestTracing(createTracerSource("1.0.0", recorder.provider))(request).end(status);
  const [span] = recorder.all();
  expect(span).toMatchObject({ name: "POST /v1/agents/:id/executions", kind: SpanKind.SERVER, status: { code } });
  expect(span?.attributes).toMatchObject({
    "http.request.method": "POST",
    "http.response.status_code": status,
    "http.route": request.route,
    "url.path": request.path,
  });
  expect(span?.attributes["error.type"]).toBe(errorType);
});

it("sees a provider that is registered after the gateway was made", () => {
  const tracerOf = createTracerSource("1.0.0");
  expect(tracerOf()).toBeUndefined();
  trace.setGlobalTracerProvider(createRecorder().provider);
  onTestFinished(() => trace.disable());
  expect(tracerOf()).toBeDefined();
});
