import { Gauge, type Registry } from "prom-client";
import { CALL_SECONDS } from "./buckets.ts";
import { ByLabel } from "./by-label.ts";
import { CounterFamily } from "./counter-family.ts";
import { HistogramFamily } from "./histogram-family.ts";

/** A request that ended with a response, or whose client disconnected. */
export interface AnsweredRequest {
  readonly method: string;
  /** The route as declared, with `:name` parameters; undefined if no route matched. */
  readonly route: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** Whether the response was an event stream. */
  readonly isStream: boolean;
}

/** Counts API requests. */
export interface HttpMetrics {
  onAnswered(request: AnsweredRequest): void;
  /**
   * Counts a stream that starts.
   *
   * @returns a function that must be called when the stream ends.
   */
  onStreamOpened(): () => void;
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const requests = new CounterFamily({
    name: "yagate_http_requests_total",
    help: "API requests, by route, method and status; route is none if no route matched",
    labelNames: ["route", "method", "status"],
    registry,
  });
  const durations = new HistogramFamily({
    name: "yagate_http_request_duration_seconds",
    help: "Time until the response was sent, including Prefer: wait; excluding event streams",
    labelNames: ["route"],
    buckets: CALL_SECONDS,
    registry,
  });
  const streams = new Gauge({
    name: "yagate_event_streams_open",
    help: "Event streams with a connected client",
    registers: [registry],
  });
  streams.set(0);
  const requestsBy = new ByLabel(
    (route) => new ByLabel((method) => new ByLabel((status) => requests.bind({ route, method, status }))),
  );
  const durationsBy = new ByLabel((route) => durations.bind({ route }));

  return {
    onAnswered({ method, route = "none", status, durationMs, isStream }) {
      const methodLabel = METHODS.has(method) ? method : "other";
      requestsBy.of(route).of(methodLabel).of(String(status)).inc();
      if (!isStream) durationsBy.of(route).observe(durationMs / 1_000);
    },
    onStreamOpened() {
      streams.inc();
      return () => streams.dec();
    },
  };
}
