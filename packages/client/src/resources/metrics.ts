import {
  type MetricName,
  type MetricRangeName,
  type MetricReport,
  metricNameSchema,
  metricRangeSchema,
  metricReportSchema,
  YagateError,
} from "@yagate/protocol";
import type { Transport } from "../http/transport.ts";
import type { CallOptions } from "./call-options.ts";

/** Which metrics to read. */
export interface MetricSeriesQuery {
  /** The range: `1h` in steps of 5 minutes, `24h` (default) or `7d` in steps of an hour. */
  readonly range?: MetricRangeName | undefined;
  /** One metric, such as `toolDuration`; default: all metrics. */
  readonly metric?: MetricName | undefined;
}

/** Metrics of a workspace over time. The key needs the scope `executions` or `operations`. */
export class Metrics {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Gets the series of metrics.
   *
   * @throws YagateError `INVALID_REQUEST` for an unknown range or metric.
   */
  async series({ range, metric }: MetricSeriesQuery = {}, { signal }: CallOptions = {}): Promise<MetricReport> {
    const query: Record<string, string> = {};
    if (range !== undefined) query["range"] = oneOf(metricRangeSchema.options, range, "range");
    if (metric !== undefined) query["metric"] = oneOf(metricNameSchema.options, metric, "metric");
    return this.#transport.json({ method: "GET", path: "/v1/metrics/series", query, signal }, metricReportSchema);
  }
}

function oneOf(options: readonly string[], value: string, name: string): string {
  if (options.includes(value)) return value;
  throw new YagateError("INVALID_REQUEST", `metrics.series: expected ${name} to be one of ${options.join(", ")}`);
}
