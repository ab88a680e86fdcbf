import { once } from "node:events";
import { createServer } from "node:http";
import { context, diag, trace } from "@opentelemetry/api";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { startTracing } from "../../src/gateway/tracing/start-tracing.ts";
import { packageVersion } from "../../src/package-version.ts";
import { startCollector } from "./collector.ts";

afterEach(() => vi.unstubAllEnvs());

const CALLER = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };

/** Sends so many spans, as the command does with these variables, and returns what came of them. */
async function send(
  variables: Readonly<Record<string, string>>,
  { count = 1, caller }: { count?: number; caller?: "sampled" | "unsampled" } = {},
) {
  const collector = await startCollector();
  // The exporter reads the environment of the process itself.
  for (const [name, value] of Object.entries({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...variables })) {
    vi.stubEnv(name, value.replace("<collector>", collector.url));
  }
  const warnings: string[] = [];
  const tracing = await startTracing(process.env, (text) => warnings.push(text));
  const tracer = tracing?.tracerProvider.getTracer("test");
  const parent =
    caller === undefined
      ? context.active()
      : trace.setSpanContext(context.active(), { ...CALLER, traceFlags: caller === "sampled" ? 1 : 0, isRemote: true });
  for (let index = 0; index < count; index += 1) tracer?.startSpan(`span ${index}`, {}, parent).end();
  await tracing?.shutdown();
  return { collector, tracing, warnings, names: collector.spans().map(({ name }) => name) };
}

it.each([
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "<collector>/at", "/at/v1/traces"],
  ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "<collector>/at", "/at"],
])("%s=%s sends spans to %s", async (name, value, path) => {
  const { collector } = await send({ OTEL_EXPORTER_OTLP_ENDPOINT: "", [name]: value });
  expect(collector.paths).toEqual([path]);
});

it.each(["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"])(
  "a gateway does not start if %s has no http:// or https://",
  async (name) => {
    for (const url of ["localhost:4318", "grpc://localhost:4317", "127.0.0.1:4318"]) {
      await expect(startTracing({ [name]: url }, () => undefined)).rejects.toMatchObject({
        code: "INVALID_REQUEST",
        message: expect.stringContaining(`${name}: expected a URL with its scheme`),
      });
    }
  },
);

it.each([
  ["OTEL_SDK_DISABLED", "true"],
  ["OTEL_TRACES_EXPORTER", "none"],
])("%s=%s: no spans", async (name, value) => {
  const { tracing, collector } = await send({ [name]: value });
  expect([tracing, collector.paths]).toEqual([undefined, []]);
});

it.each(["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"])("%s are sent", async (name) => {
  const { collector } = await send({ [name]: "x-team=orders" });
  expect(collector.headers).toMatchObject([{ "x-team": "orders" }]);
});

it.each(["OTEL_EXPORTER_OTLP_COMPRESSION", "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION"])("%s=gzip", async (name) => {
  const { collector, names } = await send({ [name]: "gzip" });
  expect(collector.headers).toMatchObject([{ "content-encoding": "gzip" }]);
  expect(names).toEqual(["span 0"]);
});

it("the resource is yagate with its version, unless variables name another", async () => {
  const { collector: unnamed } = await send({});
  expect(unnamed.resource()).toMatchObject({ "service.name": "yagate", "service.version": packageVersion() });
  const { collector: named } = await send({
    OTEL_SERVICE_NAME: "orders",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  });
  expect(named.resource()).toMatchObject({
    "service.name": "orders",
    "service.version": packageVersion(),
    "deployment.environment.name": "test",
  });
});

describe("OTEL_TRACES_SAMPLER", () => {
  it.each<[sampler: string, argument: string, spans: readonly [none: number, sampled: number, unsampled: number]]>([
    ["", "", [1, 1, 0]],
    ["always_on", "", [1, 1, 1]],
    ["always_off", "", [0, 0, 0]],
    ["traceidratio", "0", [0, 0, 0]],
    ["traceidratio", "1", [1, 1, 1]],
    ["traceidratio", "", [1, 1, 1]],
    ["parentbased_always_on", "", [1, 1, 0]],
    ["parentbased_always_off", "", [0, 1, 0]],
    ["parentbased_traceidratio", "0", [0, 1, 0]],
    ["parentbased_traceidratio", "1", [1, 1, 0]],
  ])("%s with the argument %j", async (sampler, argument, spans) => {
    const variables = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument };
    const counts: number[] = [];
    for (const caller of [undefined, "sampled", "unsampled"] as const) {
      const { names, warnings } = await send(variables, caller === undefined ? {} : { caller });
      expect(warnings).toEqual([]);
      counts.push(names.length);
    }
    expect(counts).toEqual(spans);
  });

  it.each([
    ["no_such_sampler", "", /^OTEL_TRACES_SAMPLER: unknown sampler/],
    ["traceidratio", "1.1", /^OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1/],
  ])("%s with the argument %j: a warning, and spans", async (sampler, argument, problem) => {
    const { names, warnings } = await send({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument });
    expect(warnings).toEqual([expect.stringMatching(problem)]);
    expect(names).toEqual(["span 0"]);
  });
});

describe("spans are batched", () => {
  it("in requests of at most OTEL_BSP_MAX_EXPORT_BATCH_SIZE", async () => {
    const { collector, names } = await send({ OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "2" }, { count: 5 });
    expect(collector.paths).toHaveLength(3);
    expect(names).toHaveLength(5);
  });

  it("in a queue of at most OTEL_BSP_MAX_QUEUE_SIZE", async () => {
    const { names } = await send({ OTEL_BSP_MAX_QUEUE_SIZE: "3", OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "3" }, { count: 50 });
    expect(names.length).toBeGreaterThan(0);
    expect(names.length).toBeLessThan(50);
  });

  it("and are given up after OTEL_BSP_EXPORT_TIMEOUT", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const silent = createServer(() => resolve()).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_BSP_EXPORT_TIMEOUT: "20" };
    const { warnings } = await send(variables);
    await promise;
    silent.closeAllConnections();
    silent.close();
    expect(warnings).toEqual([expect.stringContaining("spans could not be sent: ")]);
  });
});

it("spans that could not be sent are reported once a minute", async () => {
  const { tracing, warnings } = await send({});
  expect(tracing).toBeDefined();
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  diag.error("first");
  vi.advanceTimersByTime(59_999);
  diag.error("second");
  expect(warnings).toEqual(["spans could not be sent: first"]);
  vi.advanceTimersByTime(1);
  diag.error("third");
  expect(warnings).toEqual(["spans could not be sent: first", "spans could not be sent: third"]);
});
