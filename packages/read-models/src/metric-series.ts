import type { MetricName, MetricSeries } from "@yagate/protocol";
import type { MetricPoint } from "@yagate/store/port";
import { durationOf, type Occurrences, summarise } from "./buckets.ts";

/** Maximum number of series of a metric. The smallest ones are added up. */
export const MAX_LABELS = 50;
/** The label of the sum of the smallest series. */
export const OTHER = "(other)";

type Unit = MetricSeries["unit"];

/** The kind of each metric. `toValue` converts the buckets of a distribution. */
const METRICS: Readonly<Record<MetricName, { readonly unit: Unit; readonly toValue?: (bucket: number) => number }>> = {
  executions: { unit: "executions" },
  toolDuration: { unit: "ms", toValue: durationOf },
  callAttempts: { unit: "attempts", toValue: (bucket) => bucket },
  handlerDuration: { unit: "ms", toValue: durationOf },
  handlerFailures: { unit: "attempts" },
  codes: { unit: "calls" },
  inputTokens: { unit: "tokens" },
  outputTokens: { unit: "tokens" },
  cost: { unit: "usd" },
  queueTime: { unit: "ms", toValue: durationOf },
  waitTime: { unit: "ms", toValue: durationOf },
};

/** The names of all metrics. */
export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[];

/** The values of a series by step: bucket by bucket. */
type Steps = Map<number, Map<number, number>>;

/** Converts the points of one metric to its series, the largest first. */
export function toSeries(metric: MetricName, points: readonly MetricPoint[]): readonly MetricSeries[] {
  const sizes = new Map<string, number>();
  for (const { label, value } of points) sizes.set(label, (sizes.get(label) ?? 0) + value);
  const bySize = [...sizes].toSorted(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  const kept = new Set(
    bySize.slice(0, bySize.length > MAX_LABELS ? MAX_LABELS - 1 : MAX_LABELS).map(([label]) => label),
  );
  const series = new Map<string, Steps>();
  for (const { label, at, bucket, value } of points) {
    const shown = kept.has(label) ? label : OTHER;
    const steps = series.get(shown) ?? new Map();
    series.set(shown, steps);
    const buckets = steps.get(at) ?? new Map();
    steps.set(at, buckets);
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + value);
  }
  const order = [...[...kept], ...(series.has(OTHER) && !kept.has(OTHER) ? [OTHER] : [])];
  return order.map((label) => toOneSeries(metric, label, series.get(label) ?? new Map()));
}

function toOneSeries(metric: MetricName, label: string, steps: Steps): MetricSeries {
  const { unit, toValue } = METRICS[metric];
  const inOrder = [...steps].toSorted(([left], [right]) => left - right);
  const total = new Map<number, number>();
  for (const [, buckets] of inOrder) {
    for (const [bucket, value] of buckets) total.set(bucket, (total.get(bucket) ?? 0) + value);
  }
  const timed = <Value>(summaryOf: (buckets: Occurrences) => Value) =>
    inOrder.map(([at, buckets]) => ({ at: new Date(at).toISOString(), ...summaryOf(buckets) }));
  if (toValue === undefined) {
    const toCount = (buckets: Occurrences) => ({ value: rounded(sumOf(buckets)) });
    return { kind: "count", metric, label, unit, total: toCount(total), points: timed(toCount) };
  }
  const toDistribution = (buckets: Occurrences) => summarise(buckets, toValue);
  return { kind: "distribution", metric, label, unit, total: toDistribution(total), points: timed(toDistribution) };
}

const sumOf = (buckets: Occurrences) => [...buckets.values()].reduce((sum, value) => sum + value, 0);

/** Sums of dollars as floating-point numbers drift. */
const rounded = (value: number) => Math.round(value * 1e9) / 1e9;
