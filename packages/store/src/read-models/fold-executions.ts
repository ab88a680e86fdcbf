import { sql } from "../sql.ts";
import { first, type UnitOfWork } from "../unit-of-work.ts";
import type { FoldExecution, FoldFailure, MetricPoint, ToolCallEntry } from "./port.ts";
import { parseUnread, readUnread, type UnreadRows } from "./unread-execution.ts";

function* markRead(id: string, upTo: number, state: string | null): UnitOfWork<void> {
  yield* first(sql`INSERT INTO read_executions (execution_id, seq, state) VALUES (${id}, ${upTo}, ${state})
    ON CONFLICT (execution_id) DO UPDATE SET seq = excluded.seq, state = excluded.state`);
}

function* writeCall(workspaceId: string, executionId: string, call: ToolCallEntry): UnitOfWork<void> {
  const { id, tool, status, code, requestedAt, finishedAt } = call;
  yield* first(sql`
    INSERT INTO tool_calls (id, workspace_id, execution_id, tool, status, code, requested_at, finished_at)
    VALUES (${id}, ${workspaceId}, ${executionId}, ${tool}, ${status}, ${code}, ${requestedAt}, ${finishedAt})
    ON CONFLICT (id) DO UPDATE SET status = excluded.status, code = excluded.code, finished_at = excluded.finished_at`);
}

function* addPoint(workspaceId: string, { metric, label, step, at, bucket, value }: MetricPoint): UnitOfWork<void> {
  yield* first(sql`
    INSERT INTO metric_points (workspace_id, step, metric, at, label, bucket, value)
    VALUES (${workspaceId}, ${step}, ${metric}, ${at}, ${label}, ${bucket}, ${value})
    ON CONFLICT (workspace_id, step, metric, at, label, bucket)
    DO UPDATE SET value = metric_points.value + excluded.value`);
}

/** Points of several executions, added up, so that each row is written once. */
class PointSums {
  readonly #points = new Map<string, { readonly workspaceId: string; readonly point: MetricPoint }>();

  add(workspaceId: string, points: readonly MetricPoint[]): void {
    for (const point of points) {
      const key = JSON.stringify([workspaceId, point.step, point.metric, point.at, point.label, point.bucket]);
      const value = (this.#points.get(key)?.point.value ?? 0) + point.value;
      this.#points.set(key, { workspaceId, point: { ...point, value } });
    }
  }

  /** In one order, so that two processes lock rows in the same order. */
  sorted() {
    return [...this.#points].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, sum]) => sum);
  }
}

/** Reads the unread events of executions and writes what the fold returns. @returns executions with more events. */
export function* foldExecutions(
  ids: readonly string[],
  fold: FoldExecution,
): UnitOfWork<{ readonly unfinished: readonly string[]; readonly failures: readonly FoldFailure[] }> {
  const sums = new PointSums();
  const failures: FoldFailure[] = [];
  const unfinished: string[] = [];
  for (const id of ids) {
    const rows = yield* readUnread(id);
    if (rows === undefined) continue;
    if (!rows.isLast) unfinished.push(id);
    const folded = tryFold(rows, fold);
    if ("error" in folded) {
      failures.push({ executionId: id, error: folded.error });
      yield* markRead(id, rows.upTo, rows.state);
      continue;
    }
    const { workspaceId } = rows;
    for (const tool of folded.tools) {
      yield* first(sql`INSERT INTO execution_tools (workspace_id, tool, execution_id)
        VALUES (${workspaceId}, ${tool}, ${id}) ON CONFLICT DO NOTHING`);
    }
    for (const call of folded.calls) yield* writeCall(workspaceId, id, call);
    sums.add(workspaceId, folded.points);
    yield* markRead(id, rows.upTo, folded.state);
  }
  for (const { workspaceId, point } of sums.sorted()) yield* addPoint(workspaceId, point);
  return { unfinished, failures };
}

/** A damaged execution must not stop the follower. */
function tryFold(rows: UnreadRows, fold: FoldExecution) {
  try {
    return fold(parseUnread(rows));
  } catch (error) {
    return { error };
  }
}
