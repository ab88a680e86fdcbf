import type { MetricReport } from "@yagate/protocol";
import { countsOf, distributionsOf, getMetric } from "../../api/metrics.ts";

/** What a handler was sent in a step of time. */
export interface TrafficStep {
  readonly attempts: number;
  readonly failures: number;
}

/** How a handler responded in a day. Times are in ms. */
export interface HandlerTraffic extends TrafficStep {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** One for each hour, the oldest first. */
  readonly hours: readonly TrafficStep[];
}

/** Reads how the handlers of the workspace responded in the last 24 h, by URL. */
export async function readTraffic(signal?: AbortSignal): Promise<ReadonlyMap<string, HandlerTraffic>> {
  const read = (metric: "handlerDuration" | "handlerFailures") => getMetric(metric, "24h", signal);
  const [durations, failures] = await Promise.all([read("handlerDuration"), read("handlerFailures")]);
  return toTraffic(durations, failures);
}

/** Joins the durations and the failures of each handler. */
export function toTraffic(durations: MetricReport, failures: MetricReport): ReadonlyMap<string, HandlerTraffic> {
  const { from, until, stepSeconds } = durations;
  const start = Date.parse(from);
  const count = Math.max(1, Math.ceil((Date.parse(until) - start) / (stepSeconds * 1_000)));
  const spread = <Point extends { readonly at: string }>(
    points: readonly Point[],
    toValue: (point: Point) => number,
  ) => {
    const values = new Array<number>(count).fill(0);
    for (const point of points)
      values[Math.floor((Date.parse(point.at) - start) / (stepSeconds * 1_000))] = toValue(point);
    return values;
  };
  const failed = new Map(countsOf(failures, "handlerFailures").map((series) => [series.label, series]));
  return new Map(
    distributionsOf(durations, "handlerDuration").map(({ label, total, points }) => {
      const attempts = spread(points, (point) => point.count);
      const failuresByHour = spread(failed.get(label)?.points ?? [], ({ value }) => value);
      const hours = attempts.map((each, index) => ({ attempts: each, failures: failuresByHour[index] ?? 0 }));
      const { p50, p95, p99 } = total;
      return [label, { attempts: total.count, failures: failed.get(label)?.total.value ?? 0, p50, p95, p99, hours }];
    }),
  );
}
