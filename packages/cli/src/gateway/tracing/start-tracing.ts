import { setTimeout as sleep } from "node:timers/promises";
import { DiagLogLevel, diag, type TracerProvider } from "@opentelemetry/api";
import { spanIdGenerator } from "@yagate/gateway";
import { isObject } from "@yagate/lib/json/json-object";
import { packageVersion } from "../../package-version.ts";
import { checkEndpoints, ENDPOINT_VARIABLES } from "./check-endpoints.ts";
import { exporterProtocol } from "./exporter-protocol.ts";
import { tracesSampler } from "./traces-sampler.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The export of spans to a collector. */
export interface Tracing {
  readonly tracerProvider: TracerProvider;
  /** Sends the remaining spans, for at most 5 seconds. */
  shutdown(): Promise<void>;
}

const SHUTDOWN_MS = 5_000;
const WARN_EVERY_MS = 60_000;
const MAX_WARNING = 300;

/**
 * Starts to send spans to the collector that OpenTelemetry's standard variables set. Returns undefined if they set
 * none; the SDK is not loaded then.
 *
 * @param warn - called for invalid variables, and when spans could not be sent, the latter at most once a minute.
 * @throws YagateError `INVALID_REQUEST` for an invalid URL or protocol.
 */
export async function startTracing(
  environment: Environment,
  warn: (text: string) => void,
): Promise<Tracing | undefined> {
  if (!isAskedFor(environment)) return undefined;
  checkEndpoints(environment);
  const protocol = exporterProtocol(environment);
  const [sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import("@opentelemetry/sdk-trace"),
    protocol === "http/json"
      ? import("@opentelemetry/exporter-trace-otlp-http")
      : import("@opentelemetry/exporter-trace-otlp-proto"),
    import("@opentelemetry/resources"),
  ]);
  const tell = tellingOfFailures(warn);
  const detected = resources.detectResources({
    detectors: [
      resources.serviceInstanceIdDetector,
      resources.hostDetector,
      resources.resourceAttributesEnvDetector,
      resources.serviceNameEnvDetector,
    ],
  });
  const provider = new sdk.TracerProvider({
    idGenerator: spanIdGenerator,
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ "service.name": "yagate", "service.version": packageVersion() }))
      .merge(detected),
    sampler: tracesSampler(environment, sdk, warn),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...batchOptions(environment) })],
  });
  return {
    tracerProvider: provider,
    async shutdown() {
      const sent = provider.shutdown().catch((error) => tell(error instanceof Error ? error.message : String(error)));
      await Promise.race([sent, sleep(SHUTDOWN_MS, undefined, { ref: false })]);
    },
  };
}

function isAskedFor(environment: Environment): boolean {
  const read = (name: string) => (environment[name] ?? "").trim();
  if (read("OTEL_SDK_DISABLED").toLowerCase() === "true" || read("OTEL_TRACES_EXPORTER") === "none") return false;
  return ENDPOINT_VARIABLES.some((name) => read(name) !== "");
}

/** Reads the variables of the batch span processor, which the SDK does not read automatically. */
function batchOptions(environment: Environment) {
  const numberOf = (name: string) => {
    const text = environment[name] ?? "";
    return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  };
  const options = {
    scheduledDelayMillis: numberOf("OTEL_BSP_SCHEDULE_DELAY"),
    exportTimeoutMillis: numberOf("OTEL_BSP_EXPORT_TIMEOUT"),
    maxQueueSize: numberOf("OTEL_BSP_MAX_QUEUE_SIZE"),
    maxExportBatchSize: numberOf("OTEL_BSP_MAX_EXPORT_BATCH_SIZE"),
  };
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Returns a function that passes on the SDK's error messages, which would otherwise be discarded. */
function tellingOfFailures(warn: (text: string) => void): (message: string) => void {
  let quietUntil = Number.NEGATIVE_INFINITY;
  const tell = (message: string) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + WARN_EVERY_MS;
    warn(`spans could not be sent: ${reasonIn(message).slice(0, MAX_WARNING)}`);
  };
  const silent = () => undefined;
  // Other warnings quote headers, which contain keys.
  const warning = (message: string) => (message.startsWith("Dropped ") ? tell(message) : undefined);
  const logger = { error: tell, warn: warning, info: silent, debug: silent, verbose: silent };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  return tell;
}

/** Returns the reason in an error message of the SDK, which is JSON and contains the stack. */
function reasonIn(message: string): string {
  try {
    const parsed: unknown = JSON.parse(message);
    const isError = isObject(parsed) && "message" in parsed;
    return isError && typeof parsed.message === "string" ? parsed.message : message;
  } catch {
    return message;
  }
}
