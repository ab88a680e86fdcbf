import { metricQuerySchema, metricReportSchema } from "@yagate/protocol";
import type { ReadMetrics } from "@yagate/read-models/read-metrics";
import { defineRoute, type Route } from "../route.ts";

export function metricSeriesRoutes(readMetrics: ReadMetrics): readonly Route[] {
  return [
    defineRoute({
      name: "getMetricSeries",
      method: "get",
      path: "/v1/metrics/series",
      summary: "Get metrics over time",
      description:
        "Returns the metrics of the workspace per 5 minutes (range `1h`) or per hour (`24h`, `7d`), in UTC. New events are included after at most 2 seconds. Each metric has one series per label, the largest first, and at most 50.",
      tag: "metrics",
      scopes: ["executions", "operations"],
      query: metricQuerySchema.strict(),
      status: 200,
      response: metricReportSchema,
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await readMetrics(principal.workspaceId, query),
      }),
    }),
  ];
}
