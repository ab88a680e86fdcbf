import { randomBytes } from "node:crypto";
import { agentSchema, executionSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { KEYS, startCommand, startListening } from "../support/command.ts";
import { makeFolder } from "../support/folder.ts";
import { startCollector } from "./collector.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";

async function post(url: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEYS.YAGATE_API_KEY}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  return response.json();
}

/** Lets an agent calculate on a gateway that was started so, and stops it. */
async function play(
  args: readonly string[],
  env: Record<string, string>,
  headers: Record<string, string> = { traceparent: `00-${TRACE}-${CALLER}-01` },
) {
  const cwd = await makeFolder();
  const command = await startListening(args, {
    cwd,
    env: { ...KEYS, YAGATE_PORT: "0", YAGATE_LOG_LEVEL: "debug", ...env },
  });
  const definition = { name: "Calculator", model: "scripted/turns", tools: [{ builtin: "calculator" }] };
  const { id } = agentSchema.parse(await post(command.url, "/v1/agents", definition));
  const call = { name: "calculator", parameters: { expression: "6 * 7" } };
  const request = { input: "go", script: { turns: [{ toolCalls: [call] }, { text: "42" }] } };
  const answer = await post(command.url, `/v1/agents/${id}/executions`, request, { prefer: "wait=30", ...headers });
  expect(executionSchema.parse(answer).status).toBe("completed");
  const stoppedAt = performance.now();
  expect(await command.stop()).toBe(0);
  return { output: command.output(), stoppingMs: performance.now() - stoppedAt };
}

describe("yagate with a place for spans", () => {
  it.each([
    ["serve", ["serve"]],
    ["dev", ["dev", "--no-demo"]],
  ])("%s sends them before it ends, as OTLP over HTTP", async (name, args) => {
    const collector = await startCollector();
    const token = randomBytes(16).toString("hex");
    const { output } = await play(args, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `api-key=${token}`,
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      OTEL_SERVICE_NAME: "orders-gateway",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    });
    expect(new Set(collector.paths)).toEqual(new Set(["/v1/traces"]));
    expect(collector.headers[0]).toMatchObject({ "api-key": token, "content-type": "application/json" });
    expect(collector.resource()).toMatchObject({
      "service.name": "orders-gateway",
      "service.version": expect.stringMatching(/^\d+\.\d+\.\d+/),
      "deployment.environment.name": "test",
    });
    const spans = collector.spans();
    expect(spans.map((span) => span.name).sort()).toEqual([
      "POST /v1/agents/:id/executions",
      "chat turns",
      "chat turns",
      "execute_tool calculator",
      "invoke_agent Calculator",
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
    const root = spans.find((span) => span.name === "invoke_agent Calculator");
    const request = spans.find((span) => span.name === "POST /v1/agents/:id/executions");
    expect([request?.parentSpanId, root?.parentSpanId]).toEqual([CALLER, request?.spanId]);
    expect(root?.attributes).toMatchObject({ "gen_ai.operation.name": "invoke_agent", "yagate.tool_calls": 1 });
    expect(BigInt(root?.endTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(root?.startTimeUnixNano ?? 1));
    for (const secret of [token, KEYS.YAGATE_API_KEY, KEYS.YAGATE_MASTER_KEYS]) {
      expect(name === "dev" && secret === KEYS.YAGATE_API_KEY ? "" : output).not.toContain(secret);
      expect(collector.text()).not.toContain(secret);
    }
    expect(collector.text()).not.toContain("6 * 7");
  });

  it.each([
    ["always_off", {}, 0],
    ["parentbased_always_off", {}, 0],
    ["parentbased_always_off", { traceparent: `00-${TRACE}-${CALLER}-01` }, 5],
    ["always_on", { traceparent: `00-${TRACE}-${CALLER}-00` }, 5],
    ["parentbased_always_on", { traceparent: `00-${TRACE}-${CALLER}-00` }, 0],
    ["no such sampler", {}, 5],
  ])("asks the sampler %s, with %o from the caller", async (sampler, headers, count) => {
    const collector = await startCollector();
    const { output } = await play(
      ["serve"],
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`, OTEL_TRACES_SAMPLER: sampler },
      headers,
    );
    expect(collector.spans()).toHaveLength(count);
    expect(output.includes("OTEL_TRACES_SAMPLER")).toBe(sampler === "no such sampler");
  });

  it.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318", "http://localhost:4318"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:4318", "http://localhost:4318"],
    ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "grpc://localhost:4317", "http://localhost:4318/v1/traces"],
  ])("refuses to start with %s=%s, and says what to write", async (name, given, example) => {
    const env = { ...KEYS, YAGATE_PORT: "0", [name]: given };
    const command = startCommand(["serve"], { cwd: await makeFolder(), env });
    expect(await command.ended).toBe(2);
    expect(command.output()).toContain(
      `✕ INVALID_REQUEST  ${name}: expected a URL with its scheme, such as ${example}\n`,
    );
  });

  it("says that a collector refuses them, and ends all the same", async () => {
    const collector = await startCollector(400);
    const { output, stoppingMs } = await play(["serve"], { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    expect(output).toMatch(/warning: spans could not be sent: .*Bad Request/);
    expect(stoppingMs).toBeLessThan(15_000);
  });
});

describe("yagate without a place for spans", () => {
  // Writes down what is loaded of OpenTelemetry's SDK.
  const watch = `import { registerHooks } from "node:module"; registerHooks({ resolve(name, context, next) {
    if (/^@opentelemetry\\/(sdk|exporter|resources)/.test(name)) console.error("loaded " + name);
    return next(name, context); } });`;
  const nodeOptions = `${process.env["NODE_OPTIONS"] ?? ""} --import=data:text/javascript;base64,${btoa(watch)}`;

  it.each([
    ["none is named", {}, false],
    [
      "the SDK is switched off",
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_SDK_DISABLED: "true" },
      false,
    ],
    [
      "no exporter is wanted",
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_TRACES_EXPORTER: "none" },
      false,
    ],
    ["one is named", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_TRACES_SAMPLER: "always_off" }, true],
  ])("loads nothing of the SDK: %s", async (_why, env, isLoaded) => {
    const { output } = await play(["serve"], { NODE_OPTIONS: nodeOptions, ...env }, {});
    expect(output.includes("loaded @opentelemetry/sdk-trace")).toBe(isLoaded);
  });
});
