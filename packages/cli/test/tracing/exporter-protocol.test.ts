import { afterEach, expect, it, vi } from "vitest";
import { startTracing } from "../../src/gateway/tracing/start-tracing.ts";
import { KEYS, startCommand } from "../support/command.ts";
import { makeFolder } from "../support/folder.ts";
import { startCollector } from "./collector.ts";

afterEach(() => vi.unstubAllEnvs());

/** Sends one span to a collector, as the command does with these variables. */
async function sendSpan(variables: Readonly<Record<string, string>>) {
  const collector = await startCollector();
  // The exporter reads the environment of the process itself.
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url);
  const warnings: string[] = [];
  const tracing = await startTracing(process.env, (text) => warnings.push(text));
  tracing?.tracerProvider.getTracer("test").startSpan("a span of the test").end();
  await tracing?.shutdown();
  expect(warnings).toEqual([]);
  expect(collector.paths).toEqual(["/v1/traces"]);
  return collector;
}

it.each<[string, Record<string, string>]>([
  ["of all signals", { OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" }],
  ["of traces", { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: " HTTP/protobuf " }],
])("spans go out as protobuf where the protocol %s says so", async (_what, variables) => {
  const collector = await sendSpan(variables);
  expect(collector.headers[0]).toMatchObject({ "content-type": "application/x-protobuf" });
  expect(collector.protobufSpanNames()).toEqual(["a span of the test"]);
});

it.each<[string, Record<string, string>]>([
  ["nothing is said", {}],
  ["the protocol is http/json", { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }],
])("spans go out as JSON where %s", async (_when, variables) => {
  const collector = await sendSpan(variables);
  expect(collector.headers[0]).toMatchObject({ "content-type": "application/json" });
  expect(collector.spans().map(({ name }) => name)).toEqual(["a span of the test"]);
});

it.each([
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "grpc is not supported"],
  ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/xml", "this is not a known protocol"],
])("the command refuses to start with %s=%s, and says what it can send", async (name, given, problem) => {
  const env = { ...KEYS, YAGATE_PORT: "0", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", [name]: given };
  const command = startCommand(["serve"], { cwd: await makeFolder(), env });
  expect(await command.ended).toBe(2);
  expect(command.output()).toContain(`${name}: expected http/json or http/protobuf; ${problem}\n`);
});
