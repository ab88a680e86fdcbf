import { createHash } from "node:crypto";
import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AlwaysOnSampler, RandomIdGenerator } from "@opentelemetry/sdk-trace";
import { canonicalJson } from "@yagate/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRecorder, only, startListeningHandler } from "../../../telemetry/test/support/traced-world.ts";
import type { GatewayConfig } from "../../src/config/gateway-config.ts";
import { calling, execute, makeAgent, saying, start } from "../http/support/agents.ts";
import { workTool } from "../http/support/handler.ts";
import { startWorld } from "../http/support/world.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";
const incoming = (flags: string) => ({ traceparent: `00-${TRACE}-${CALLER}-${flags}` });
const REQUEST_SPAN = "POST /v1/agents/:id/executions";

async function openWorld(config: Partial<GatewayConfig> = {}) {
  const world = await startWorld({ logLevel: "silent", ...config });
  onTestFinished(() => world.stop());
  return world;
}

describe("the spans of an execution", () => {
  it("hang below its caller's, and its handler's below the attempt's", async () => {
    const recorder = createRecorder();
    const handler = await startListeningHandler([503, 200]);
    const world = await openWorld({ tracerProvider: recorder.provider });
    const agent = await makeAgent(world, { name: "Order desk", tools: [workTool(handler.url, { retries: 1 })] });
    const execution = await execute(world, agent.id, calling("work"), { headers: incoming("01") });
    await recorder.spans("invoke_agent Order desk");
    await recorder.spans(REQUEST_SPAN);

    const spans = recorder.all();
    const request = only(spans, REQUEST_SPAN);
    const root = only(spans, "invoke_agent Order desk");
    const call = only(spans, "execute_tool work");
    const turns = spans.filter(({ name }) => name === "chat turns");
    const attempts = spans.filter(({ name }) => name === "POST");
    const idOf = (span: typeof root) => span.spanContext().spanId;
    expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE]));
    expect(request.parentSpanContext?.spanId).toBe(CALLER);
    expect(root.parentSpanContext?.spanId).toBe(idOf(request));
    expect([call, ...turns].map((span) => span.parentSpanContext?.spanId)).toEqual(Array(3).fill(idOf(root)));
    expect(attempts.map((span) => span.parentSpanContext?.spanId)).toEqual(Array(2).fill(idOf(call)));
    expect(handler.headers.map(({ traceparent }) => traceparent)).toEqual(
      attempts.map((span) => `00-${TRACE}-${idOf(span)}-01`),
    );

    expect(root).toMatchObject({
      kind: SpanKind.INTERNAL,
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.id": agent.id,
        "gen_ai.agent.name": "Order desk",
        "gen_ai.agent.version": "1",
        "gen_ai.provider.name": "scripted",
        "gen_ai.request.model": "turns",
        "gen_ai.usage.input_tokens": execution.usage.inputTokens,
        "gen_ai.usage.output_tokens": execution.usage.outputTokens,
        "yagate.execution.id": execution.id,
        "yagate.execution.status": "completed",
        "yagate.stop_reason": "final",
        "yagate.tool_calls": 1,
      },
    });
    expect(turns.map(({ attributes }) => attributes["gen_ai.response.finish_reasons"])).toEqual([
      ["tool_calls"],
      ["stop"],
    ]);
    expect(turns[0]).toMatchObject({
      kind: SpanKind.INTERNAL,
      attributes: { "gen_ai.operation.name": "chat", "gen_ai.provider.name": "scripted", "yagate.turn": 1 },
    });
    expect(call.attributes).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "work",
      "gen_ai.tool.type": "function",
      "yagate.tool.kind": "handler",
      "yagate.tool.risk": expect.any(String),
      "yagate.tool.status": "completed",
      "yagate.tool.via": "handler",
      "yagate.tool.attempts": 2,
      "yagate.tool.input_hash": `sha256:${createHash("sha256").update(canonicalJson({})).digest("hex")}`,
      "yagate.policy.decision": "allowed",
      "yagate.policy.reason": expect.any(String),
      "yagate.cost.usd": 0,
    });
    const { hostname, port } = new URL(handler.url);
    expect(attempts[0]).toMatchObject({
      kind: SpanKind.CLIENT,
      status: { code: SpanStatusCode.ERROR },
      attributes: {
        "http.request.method": "POST",
        "http.response.status_code": 503,
        "error.type": "503",
        "yagate.attempt.error_code": "HANDLER_ERROR",
        "yagate.attempt.number": 1,
        "yagate.http.connect_ms": expect.any(Number),
        "yagate.http.first_byte_ms": expect.any(Number),
      },
    });
    expect(attempts[0]?.attributes).not.toHaveProperty(["http.request.resend_count"]);
    expect(attempts[1]?.attributes).toMatchObject({
      "http.response.status_code": 200,
      "http.request.resend_count": 1,
      "server.address": hostname,
      "server.port": Number(port),
      "url.full": `http://${hostname}:${port}/tools`,
    });
    expect(attempts[1]?.attributes).not.toHaveProperty(["error.type"]);
  });

  it("of a failed tool say why, and that of the execution is none of an error", async () => {
    const recorder = createRecorder();
    const body = { error: { code: "OUT_OF_STOCK", message: "planted message of the handler" } };
    const handler = await startListeningHandler([200], { body });
    const world = await openWorld({ tracerProvider: recorder.provider });
    const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
    await execute(world, agent.id, calling("work"));
    const [root] = await recorder.spans("invoke_agent test");
    expect(root?.status.code).toBe(SpanStatusCode.UNSET);
    expect(only(recorder.all(), "execute_tool work")).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: {
        "error.type": "OUT_OF_STOCK",
        "yagate.tool.error_source": "handler",
        "yagate.tool.status": "failed",
        "yagate.tool.outcome": "none",
      },
    });
    expect(JSON.stringify(recorder.all().map(({ attributes, events }) => [attributes, events]))).not.toContain(
      "planted",
    );
  });

  it("of an execution that fails are those of an error", async () => {
    const recorder = createRecorder();
    const world = await openWorld({ tracerProvider: recorder.provider });
    const agent = await makeAgent(world, { model: "openai/gpt-5" });
    await execute(world, agent.id, { input: "hello" });
    const [root] = await recorder.spans("invoke_agent test");
    expect(root).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { "error.type": "NOT_CONFIGURED", "yagate.execution.status": "failed" },
    });
    expect(only(recorder.all(), "chat gpt-5")).toMatchObject({
      kind: SpanKind.CLIENT,
      status: { code: SpanStatusCode.ERROR },
      attributes: { "gen_ai.provider.name": "openai", "error.type": "NOT_CONFIGURED" },
      events: [{ name: "model.failed" }],
    });
  });

  it("begin a trace of their own without a caller's", async () => {
    const recorder = createRecorder();
    const handler = await startListeningHandler();
    const world = await openWorld({ tracerProvider: recorder.provider });
    const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
    await execute(world, agent.id, calling("work"), { headers: { traceparent: "nothing that can be read" } });
    await recorder.spans("invoke_agent test");
    const [request] = await recorder.spans(REQUEST_SPAN);
    expect(request?.parentSpanContext).toBeUndefined();
    const traceId = request?.spanContext().traceId;
    expect(new Set(recorder.all().map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]));
    expect(handler.headers[0]?.["traceparent"]).toContain(`00-${traceId}-`);
  });

  it("are not written if the caller does not record, which the handler sees", async () => {
    const recorder = createRecorder();
    const handler = await startListeningHandler();
    const world = await openWorld({ tracerProvider: recorder.provider });
    const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
    await execute(world, agent.id, calling("work"), { headers: incoming("00") });
    // A second one, whose spans come after those that must not.
    await execute(world, agent.id, saying("hi"), { headers: incoming("01") });
    await recorder.spans("invoke_agent test");
    expect(handler.headers[0]?.["traceparent"]).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
    expect(recorder.all().filter(({ name }) => name === "execute_tool work")).toEqual([]);
    expect(recorder.all().filter(({ name }) => name === "invoke_agent test")).toHaveLength(1);
  });

  it("link to the id that a handler received if there is another id generator", async () => {
    const recorder = createRecorder({ idGenerator: new RandomIdGenerator(), sampler: new AlwaysOnSampler() });
    const handler = await startListeningHandler();
    const world = await openWorld({ tracerProvider: recorder.provider });
    const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
    await execute(world, agent.id, calling("work"));
    const [attempt] = await recorder.spans("POST");
    const [, traceId, spanId] = String(handler.headers[0]?.["traceparent"]).split("-");
    expect(attempt?.spanContext()).toMatchObject({ traceId });
    expect(attempt?.spanContext().spanId).not.toBe(spanId);
    expect(attempt?.links.map(({ context }) => context)).toMatchObject([{ traceId, spanId }]);
  });

  it("are written by the provider that the application registered", async () => {
    const recorder = createRecorder();
    trace.setGlobalTracerProvider(recorder.provider);
    onTestFinished(() => trace.disable());
    const world = await openWorld();
    const agent = await makeAgent(world);
    await execute(world, agent.id, saying("hi"));
    const [root] = await recorder.spans("invoke_agent test");
    expect(root?.instrumentationScope).toMatchObject({ name: "@yagate/gateway", version: expect.any(String) });
  });

  it("are none without a tracer, and the caller's headers reach the handler as they came", async () => {
    const handler = await startListeningHandler();
    const world = await openWorld();
    const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
    await execute(world, agent.id, calling("work"), { headers: { ...incoming("01"), tracestate: "vendor=1" } });
    expect(handler.headers[0]).toMatchObject({ ...incoming("01"), tracestate: "vendor=1" });
  });
});

describe("what spans hold of a call", () => {
  const planted = { orderId: "ORD-planted", apiKey: "planted-by-name", note: "sk-0123456789abcdefplanted" };
  const script = { turns: [{ toolCalls: [{ name: "work", parameters: planted }] }, { text: "done" }] };

  async function spansWith(config: Partial<GatewayConfig>) {
    const recorder = createRecorder();
    const body = { result: { status: "shipped-planted", token: "planted-result" } };
    const handler = await startListeningHandler([200], { body });
    const world = await openWorld({ tracerProvider: recorder.provider, ...config });
    const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
    await execute(world, agent.id, { input: "planted question", script });
    await recorder.spans("invoke_agent test");
    return { call: only(recorder.all(), "execute_tool work"), text: JSON.stringify(recorder.all().map(toPlain)) };
  }

  const toPlain = ({ name, attributes, events, links, status }: ReturnType<typeof only>) => [
    name,
    attributes,
    events,
    links,
    status,
  ];

  it("is no value by default", async () => {
    const { text } = await spansWith({});
    expect(text).not.toContain("planted");
  });

  it("is a preview without what looks like a secret, if that is asked for", async () => {
    const { call, text } = await spansWith({ traceContent: "preview" });
    expect(call.attributes["gen_ai.tool.call.arguments"]).toBe(
      '{"orderId":"ORD-planted","apiKey":"[redacted]","note":"[redacted]"}',
    );
    expect(call.attributes["gen_ai.tool.call.result"]).toBe('{"status":"shipped-planted","token":"[redacted]"}');
    expect(text).not.toContain("planted-by-name");
  });
});

describe("what a preview shows of a call whose tool has a projection", () => {
  const hidden = "ada@hidden.example";
  const result = { order: "shipped", customer: { email: hidden, city: "Lisbon" }, notes: [{ card: "hidden-card" }] };
  const shown = '{"order":"shipped","customer":{"email":"***","city":"Lisbon"},"notes":[{"card":"***"}]}';
  const projection = { redact: ["$.customer.email", "$..card"] };

  async function spansOf(options: { readonly body: unknown; readonly statuses?: readonly number[] }, rest = {}) {
    const recorder = createRecorder();
    const handler = await startListeningHandler(options.statuses ?? [200], { body: options.body });
    const world = await openWorld({ tracerProvider: recorder.provider, traceContent: "preview" });
    const agent = await makeAgent(world, { tools: [workTool(handler.url, { projection, ...rest })] });
    return { recorder, handler, world, agent };
  }

  const textOf = (recorder: ReturnType<typeof createRecorder>) =>
    JSON.stringify(recorder.all().map(({ name, attributes, events, status }) => [name, attributes, events, status]));
  const resultIn = (recorder: ReturnType<typeof createRecorder>) =>
    only(recorder.all(), "execute_tool work").attributes["gen_ai.tool.call.result"];

  it("is what the model reads", async () => {
    const { recorder, world, agent } = await spansOf({ body: { result } });
    await execute(world, agent.id, calling("work"));
    await recorder.spans("invoke_agent test");
    expect(resultIn(recorder)).toBe(shown);
    expect(textOf(recorder)).not.toContain("hidden");
  });

  it("is only what is kept", async () => {
    const { recorder, world, agent } = await spansOf({ body: { result } }, { projection: { keep: ["$.order"] } });
    await execute(world, agent.id, calling("work"));
    await recorder.spans("invoke_agent test");
    expect(resultIn(recorder)).toBe('{"order":"shipped"}');
  });

  it("is the same where the result is an artifact", async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => ({ row: index, card: `hidden-${index}` }));
    const { recorder, world, agent } = await spansOf({ body: { result: { ...result, rows } } });
    await execute(world, agent.id, calling("work"));
    await recorder.spans("invoke_agent test");
    expect(resultIn(recorder)).toMatch(/^\{"order":"shipped","customer":\{"email":"\*\*\*"/);
    expect(textOf(recorder)).not.toContain("hidden");
  });

  it("is the projection of what a caller answers for a failed call, too", async () => {
    const { recorder, world, agent } = await spansOf({ body: {}, statuses: [404] });
    const fallback = { waitMs: 30_000 };
    const { id } = await start(world, agent.id, { ...calling("work"), fallback });
    let call: { id: string; status: string } | undefined;
    while (call?.status !== "waiting_fallback") {
      const { body } = await world.call("listToolCalls", { params: { id } });
      [call] = JSON.parse(JSON.stringify(body)).data;
    }
    await world.call("answerFallback", { params: { id: call.id }, body: { result } });
    await recorder.spans("invoke_agent test");
    expect(resultIn(recorder)).toBe(shown);
    expect(textOf(recorder)).not.toContain("hidden");
  });
});

describe("an execution that outlives its process", () => {
  it("has its spans written once, by the process that ends it", async () => {
    const handler = await startListeningHandler([200], { isHeld: true });
    const first = createRecorder();
    const world = await startWorld({ logLevel: "silent", tracerProvider: first.provider });
    const { dataDir, key } = world;
    const agent = await makeAgent(world, { tools: [workTool(handler.url, { retries: 1 })] });
    const execution = await start(world, agent.id, calling("work"), { headers: incoming("01") });
    await handler.called(1);
    await world.close();
    handler.release();

    const second = createRecorder();
    const later = await startWorld({ logLevel: "silent", dataDir, apiKey: key, tracerProvider: second.provider });
    onTestFinished(() => later.stop());
    const [root] = await second.spans("invoke_agent test");
    const [request] = await first.spans(REQUEST_SPAN);
    expect(first.all().map(({ name }) => name)).toEqual([REQUEST_SPAN]);
    expect(root?.attributes["yagate.execution.id"]).toBe(execution.id);
    expect(root?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    const attempts = second.all().filter(({ name }) => name === "POST");
    expect(attempts.map((span) => `00-${TRACE}-${span.spanContext().spanId}-01`)).toEqual(
      handler.headers.map(({ traceparent }) => traceparent),
    );
    expect(attempts.map(({ attributes }) => attributes["yagate.is_interruption"])).toEqual([true, undefined]);
    expect(second.all().filter(({ name }) => name === "invoke_agent test")).toHaveLength(1);
    expect(second.all().filter(({ name }) => name === "execute_tool work")).toHaveLength(1);
  });
});
