import type { MetricName, MetricRangeName, MetricReport, MetricSeries } from "@yagate/protocol";
import { request } from "./request.ts";

export const getMetric = (metric: MetricName, range: MetricRangeName, signal?: AbortSignal) =>
  request<MetricReport>("v1/metrics/series", { query: { range, metric }, signal });

export const getMetrics = (range: MetricRangeName, signal?: AbortSignal) =>
  request<MetricReport>("v1/metrics/series", { query: { range }, signal });

export type CountSeries = Extract<MetricSeries, { kind: "count" }>;
export type DistributionSeries = Extract<MetricSeries, { kind: "distribution" }>;

export function countsOf({ series }: MetricReport, metric: MetricName): readonly CountSeries[] {
  return series.filter((each): each is CountSeries => each.kind === "count" && each.metric === metric);
}

export function distributionsOf({ series }: MetricReport, metric: MetricName): readonly DistributionSeries[] {
  return series.filter((each): each is DistributionSeries => each.kind === "distribution" && each.metric === metric);
}

export function totalOf(report: MetricReport, metric: MetricName): number {
  return countsOf(report, metric).reduce((sum, { total }) => sum + total.value, 0);
}
