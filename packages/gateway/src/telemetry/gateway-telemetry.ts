import type { TracerProvider } from "@opentelemetry/api";
import { Gauge, Registry } from "prom-client";
import { createExecutionTracing, type ExecutionTracing, type ExecutionTracingOptions } from "./execution-tracing.ts";
import { createEventStoreMetrics, type EventStoreMetrics } from "./metrics/event-store-metrics.ts";
import { createExecutionMetrics, type ExecutionMetrics } from "./metrics/execution-metrics.ts";
import { createExposition, type Exposition } from "./metrics/exposition.ts";
import { createHttpMetrics, type HttpMetrics } from "./metrics/http-metrics.ts";
import { createLeaseMetrics, type LeaseMetricsOptions } from "./metrics/lease-metrics.ts";
import { createQuotaMetrics, type QuotaMetrics } from "./metrics/quota-metrics.ts";
import { createReceiptMetrics, type ReceiptMetrics } from "./metrics/receipt-metrics.ts";
import { createStateMetrics, type GatewayState } from "./metrics/state-metrics.ts";
import { createRequestTracing, type RequestTracing } from "./request-tracing.ts";
import type { ModelReference } from "./spans/model-reference.ts";
import type { TraceContent } from "./spans/tool-call-span.ts";
import { createTracerSource } from "./tracer-source.ts";

export interface TelemetryOptions {
  /** Of the gateway. */
  readonly version: string;
  /** Default: the global one of this process. */
  readonly tracerProvider?: TracerProvider;
  readonly content: TraceContent;
  /** What a model reads of a result: previews show no more. */
  readonly project: ExecutionTracingOptions["project"];
  /** Undefined: not a model's name. */
  readonly modelOf: (name: string) => ModelReference | undefined;
  /** Names of providers that may be labels of metrics: all others, which tenants write, are one. */
  readonly providers: readonly string[];
  readonly lease: LeaseMetricsOptions;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown, executionId: string) => void;
}

/** Spans and metrics of one gateway. */
export interface Telemetry {
  readonly executions: ExecutionMetrics;
  readonly eventStore: EventStoreMetrics;
  readonly http: HttpMetrics;
  readonly receipts: ReceiptMetrics;
  readonly quotas: QuotaMetrics;
  /** Wraps each renewal of the lease. */
  readonly aroundRenewal: (renew: () => Promise<void>) => Promise<void>;
  readonly traceRequest: RequestTracing;
  /** Whether spans are written at the moment. */
  readonly isTracing: () => boolean;
  /** Makes what writes the spans of executions. */
  traceExecutions(reading: Pick<ExecutionTracingOptions, "eventStore" | "agentNameOf" | "serverOf">): ExecutionTracing;
  /** Adds the gauges of what is the case at each scrape. */
  watch(state: GatewayState): void;
  /** All metrics as text. */
  readonly expose: () => Promise<Exposition>;
}

/** Makes the telemetry of a gateway, with a registry of its own. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { version, tracerProvider, content, project, now, onError } = options;
  const registry = new Registry();
  const tracerOf = createTracerSource(version, tracerProvider);
  const modelOf = (name: string) => options.modelOf(name) ?? { provider: "other", model: name };
  const labels = new Set(options.providers);
  const providerOf = (name: string) => {
    const { provider } = modelOf(name);
    return labels.has(provider) ? provider : "other";
  };
  new Gauge({
    name: "yagate_build_info",
    help: "1, with the version of the gateway",
    labelNames: ["version"],
    registers: [registry],
  }).set({ version }, 1);

  return {
    executions: createExecutionMetrics(registry, providerOf, options.providers),
    eventStore: createEventStoreMetrics(registry),
    http: createHttpMetrics(registry),
    receipts: createReceiptMetrics(registry),
    quotas: createQuotaMetrics(registry),
    aroundRenewal: createLeaseMetrics(registry, options.lease),
    traceRequest: createRequestTracing(tracerOf),
    isTracing: () => tracerOf() !== undefined,
    traceExecutions: (reading) => createExecutionTracing({ ...reading, tracerOf, content, project, modelOf, onError }),
    watch: (state) => createStateMetrics(registry, state, now),
    expose: createExposition(registry),
  };
}
