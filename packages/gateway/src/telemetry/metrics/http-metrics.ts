import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { CALL_SECONDS } from "./buckets.ts";

/** A request that was answered, or whose client has gone. */
export interface AnsweredRequest {
  readonly method: string;
  /** As declared, with `:name` parameters; undefined: there is no such route. */
  readonly route: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** It took as long as somebody listened. */
  readonly isStream: boolean;
}

/** Counts requests of the API. */
export interface HttpMetrics {
  onAnswered(request: AnsweredRequest): void;
  /** To be called when a stream begins; what it returns, when it ends. */
  onStreamOpened(): () => void;
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: "yagate_http_requests_total",
    help: "Requests of the API, by route, method and status; route none: there is no such route",
    labelNames: ["route", "method", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "yagate_http_request_duration_seconds",
    help: "Time until the answer was sent; without event streams, with the time that Prefer: wait asked for",
    labelNames: ["route"],
    buckets: CALL_SECONDS,
    registers,
  });
  const streams = new Gauge({
    name: "yagate_event_streams_open",
    help: "Event streams with a connected client",
    registers,
  });
  streams.set(0);

  return {
    onAnswered({ method, route = "none", status, durationMs, isStream }) {
      requests.inc({ route, method: METHODS.has(method) ? method : "other", status: String(status) });
      if (!isStream) durations.observe({ route }, durationMs / 1_000);
    },
    onStreamOpened() {
      streams.inc();
      return () => streams.dec();
    },
  };
}
