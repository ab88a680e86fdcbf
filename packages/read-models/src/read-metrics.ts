import type { MetricName, MetricRangeName, MetricReport } from "@yagate/protocol";
import type { ReadModelStore } from "@yagate/store/port";
import { METRIC_NAMES, toSeries } from "./metric-series.ts";
import { RANGES, startOfStep } from "./steps.ts";

/** Which metrics to read. */
export interface MetricQuery {
  readonly range: MetricRangeName;
  /** Default: all metrics. */
  readonly metric?: MetricName | undefined;
}

/** Reads the metrics of a workspace. */
export type ReadMetrics = (workspaceId: string, query: MetricQuery) => Promise<MetricReport>;

/** Creates the read. @param now - returns the current time in ms since the epoch. */
export function createReadMetrics(
  store: Pick<ReadModelStore, "points" | "isBackfilling">,
  now: () => number,
): ReadMetrics {
  return async (workspaceId, { range, metric }) => {
    const { stepSeconds, lengthMs } = RANGES[range];
    const until = now();
    const from = startOfStep(until - lengthMs, stepSeconds) + stepSeconds * 1_000;
    const names = metric === undefined ? METRIC_NAMES : [metric];
    const [points, isPartial] = await Promise.all([
      store.points(workspaceId, { step: stepSeconds, from, until: until + 1 }, names),
      store.isBackfilling(),
    ]);
    const series = names.flatMap((name) =>
      toSeries(
        name,
        points.filter((point) => point.metric === name),
      ),
    );
    return {
      ...{ range, from: new Date(from).toISOString(), until: new Date(until).toISOString(), stepSeconds, isPartial },
      series,
    };
  };
}
