import type { EpochMs } from "../epoch-ms.ts";
import { sql } from "../sql.ts";
import { all, type UnitOfWork } from "../unit-of-work.ts";
import type { MetricPoint, MetricRange } from "./port.ts";

/** Returns the points of a metric, or of all metrics, in the order of metric and time. */
export function* metricPoints(
  workspaceId: string,
  { step, from, until }: MetricRange,
  metrics: readonly string[],
): UnitOfWork<readonly MetricPoint[]> {
  const points: MetricPoint[] = [];
  for (const metric of metrics) {
    points.push(
      ...(yield* all(sql<MetricPoint>`
        SELECT metric, label, step, at, bucket, value FROM metric_points
        WHERE workspace_id = ${workspaceId} AND step = ${step} AND metric = ${metric} AND at >= ${from} AND at < ${until}
        ORDER BY at, label, bucket`)),
    );
  }
  return points;
}

/** Deletes the oldest points of a step length, if they are older than `before`. @returns the number of deleted rows. */
export function* deleteMetricPoints(step: number, before: EpochMs, limit: number): UnitOfWork<number> {
  const deleted = yield* all(sql<{ at: number }>`
    DELETE FROM metric_points WHERE (workspace_id, step, metric, at, label, bucket) IN (
      SELECT workspace_id, step, metric, at, label, bucket FROM metric_points
      WHERE step = ${step} AND at < ${before} ORDER BY at LIMIT ${limit})
    RETURNING at`);
  return deleted.length;
}
