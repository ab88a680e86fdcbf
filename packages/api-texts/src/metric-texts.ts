import type { PropertyTexts } from "./text.ts";

/** Descriptions for metrics over time. */
export const METRIC_TEXTS: PropertyTexts = {
  "MetricReport.range": "The range of the request.",
  "MetricReport.from": "Start of the first step.",
  "MetricReport.until": "End of the range: the time of the response. The last step has not ended yet.",
  "MetricReport.stepSeconds": { text: "Length of a step in seconds.", example: 3_600 },
  "MetricReport.isPartial": "Whether executions from before an upgrade are still being added.",
  "MetricReport.series": "The series, grouped by metric; within a metric, the largest first.",
  "series[].kind": { text: "Whether the points are counts or distributions.", example: "count" },
  "series[].metric": "Name of the metric.",
  "series[].label": {
    text: "What distinguishes the series from others of its metric, such as a status, the name of a tool or the id of an agent. Empty if the metric has one series. `(other)`: the sum of the smallest series.",
    example: "lookup_order",
  },
  "series[].unit": "Unit of the values.",
  "series[].total": "The values of the whole range.",
  "series[].points": "The values of each step with data, in order.",
  "points[].at": "Start of the step.",
  "total.value": { text: "Sum over the range.", example: 12 },
  "points[].value": { text: "Sum over the step.", example: 12 },
  "total.count": { text: "Number of values.", example: 12 },
  "points[].count": { text: "Number of values.", example: 12 },
  mean: { text: "Mean of the values.", example: 105 },
  p50: { text: "Half of the values are at most this large.", example: 98 },
  p95: { text: "95% of the values are at most this large.", example: 240 },
  p99: { text: "99% of the values are at most this large.", example: 410 },
};
