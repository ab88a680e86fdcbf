import type { TracerProvider } from "@opentelemetry/api";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { createExecutionTracing, type ExecutionTracing, type ExecutionTracingOptions } from "./execution-tracing.ts";
import { createEventStoreMetrics, type EventStoreMetrics } from "./metrics/event-store-metrics.ts";
import { createExecutionMetrics, type ExecutionMetrics } from "./metrics/execution-metrics.ts";
import { createHttpMetrics, type HttpMetrics } from "./metrics/http-metrics.ts";
import { createLeaseMetrics, type LeaseMetricsOptions } from "./metrics/lease-metrics.ts";
import { createQuotaMetrics, type QuotaMetrics } from "./metrics/quota-metrics.ts";
import { createReceiptMetrics, type ReceiptMetrics } from "./metrics/receipt-metrics.ts";
import { createStateMetrics, type GatewayState } from "./metrics/state-metrics.ts";
import { createToolSourceMetrics, type ToolSourceMetrics } from "./metrics/tool-source-metrics.ts";
import { createRequestTracing, type RequestTracing } from "./request-tracing.ts";
import type { ModelReference } from "./spans/model-reference.ts";
import type { TraceContent } from "./spans/tool-call-span.ts";
import { createTracerSource } from "./tracer-source.ts";

export interface TelemetryOptions {
  /** Version of the gateway. */
  readonly version: string;
  /** Writes the spans. Default: the global tracer provider of this process. */
  readonly tracerProvider?: TracerProvider;
  readonly content: TraceContent;
  /** Projects a result to the part that the model reads. Previews show no more than that. */
  readonly project: ExecutionTracingOptions["project"];
  /** Returns the model and its provider by the model's name; undefined if no model has this name. */
  readonly modelOf: (name: string) => ModelReference | undefined;
  /** Providers that have their own metric label. All others share one label, because workspaces choose their names. */
  readonly providers: readonly string[];
  readonly lease: LeaseMetricsOptions;
  /** Current time in ms since the epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown, executionId: string) => void;
}

/** The spans and metrics of one gateway. */
export interface Telemetry {
  readonly executions: ExecutionMetrics;
  readonly eventStore: EventStoreMetrics;
  readonly http: HttpMetrics;
  readonly receipts: ReceiptMetrics;
  readonly quotas: QuotaMetrics;
  readonly toolSources: ToolSourceMetrics;
  /** Wraps each renewal of the lease. */
  readonly aroundRenewal: (renew: () => Promise<void>) => Promise<void>;
  readonly traceRequest: RequestTracing;
  /** Returns whether spans are currently recorded. */
  readonly isTracing: () => boolean;
  /** Creates the writer of execution spans. */
  traceExecutions(reading: Pick<ExecutionTracingOptions, "eventStore" | "agentNameOf" | "serverOf">): ExecutionTracing;
  /** Adds the gauges whose values are read at each scrape. */
  watch(state: GatewayState): void;
  /** Returns all metrics as text. */
  readonly expose: () => Promise<Exposition>;
}

/** Creates the telemetry of a gateway, with its own registry of metrics. */
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
    toolSources: createToolSourceMetrics(registry, now),
    aroundRenewal: createLeaseMetrics(registry, options.lease),
    traceRequest: createRequestTracing(tracerOf),
    isTracing: () => tracerOf() !== undefined,
    traceExecutions: (reading) => createExecutionTracing({ ...reading, tracerOf, content, project, modelOf, onError }),
    watch: (state) => createStateMetrics(registry, state, now),
    expose: createExposition(registry),
  };
}

/** All metrics in the text format. */
interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/**
 * Gauges with names that promtool allows only for counters. Each is the sum of the gauge with the same name without
 * `_total`.
 */
const MISNAMED = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

/** Exposes the metrics of a registry and of the process in the text format 0.0.4. */
function createExposition(registry: Registry): () => Promise<Exposition> {
  let processMetrics: Registry | undefined;
  return async () => {
    // Monitoring of the event loop and of garbage collection starts with the first scrape, because it would be wasted
    // without scrapes.
    if (processMetrics === undefined) {
      processMetrics = new Registry();
      collectDefaultMetrics({ register: processMetrics });
      for (const name of MISNAMED) processMetrics.removeSingleMetric(name);
    }
    const texts = await Promise.all([registry.metrics(), processMetrics.metrics()]);
    return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, text: texts.join("") };
  };
}
