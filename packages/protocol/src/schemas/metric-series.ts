import * as z from "zod";
import { timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";

/** The metrics of `GET /v1/metrics/series`. */
export const metricNameSchema = z.enum([
  "executions",
  "toolDuration",
  "callAttempts",
  "handlerDuration",
  "handlerFailures",
  "codes",
  "inputTokens",
  "outputTokens",
  "cost",
  "queueTime",
  "waitTime",
]);
export type MetricName = z.infer<typeof metricNameSchema>;

/** The ranges of `GET /v1/metrics/series`. */
export const metricRangeSchema = z.enum(["1h", "24h", "7d"]);
export type MetricRangeName = z.infer<typeof metricRangeSchema>;

const countSchema = z.looseObject({ value: z.number() });
/** Percentiles have a relative error of at most 5%. */
const distributionSchema = z.looseObject({
  count: z.int().min(0),
  mean: z.number(),
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
});
const at = { /** The start of the step. */ at: timestampSchema };

const seriesOf = <Kind extends string>(kind: Kind) => ({
  kind: z.literal(kind),
  metric: metricNameSchema,
  /**
   * What distinguishes the series from others of its metric: a status, the name of a tool, the URL of a handler, a
   * code, the id of an agent, or the reason of a wait. Empty if the metric has one series. `(other)`: the sum of the
   * smallest series.
   */
  label: z.string(),
  unit: z.enum(["executions", "calls", "attempts", "tokens", "usd", "ms"]),
});

/** A metric over time for one label. Steps without data have no point. */
export const metricSeriesSchema = z.discriminatedUnion("kind", [
  z.looseObject({
    ...seriesOf("count"),
    total: countSchema,
    points: z.array(countSchema.extend(at)),
  }),
  z.looseObject({
    ...seriesOf("distribution"),
    total: distributionSchema,
    points: z.array(distributionSchema.extend(at)),
  }),
]);
export type MetricSeries = z.infer<typeof metricSeriesSchema>;

/** The query of `GET /v1/metrics/series`. */
export const metricQuerySchema = z.object({
  range: metricRangeSchema.default("24h"),
  /** Default: all metrics. */
  metric: metricNameSchema.optional(),
});

/** The response of `GET /v1/metrics/series`. */
export const metricReportSchema = openResponse(
  z.looseObject({
    range: metricRangeSchema,
    /** The start of the first step. */
    from: timestampSchema,
    /** The end of the range: the time of the response. The last step has not ended yet. */
    until: timestampSchema,
    stepSeconds: z.int().min(1),
    /** Whether executions from before an upgrade are still being added. */
    isPartial: z.boolean(),
    series: z.array(metricSeriesSchema),
  }),
).meta({ id: "MetricReport" });
export type MetricReport = z.infer<typeof metricReportSchema>;
