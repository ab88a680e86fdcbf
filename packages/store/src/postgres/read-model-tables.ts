import type { DerivedRows, ReadModelTables } from "../read-models/derived-rows.ts";
import {
  APPENDS_PER_READ,
  type AppendColumns,
  type ExecutionColumns,
  type UnreadRows,
  unreadRows,
} from "../read-models/unread-execution.ts";
import { sql } from "../sql.ts";
import { all, type UnitOfWork } from "../unit-of-work.ts";

function* unread(ids: readonly string[]): UnitOfWork<readonly UnreadRows[]> {
  if (ids.length === 0) return [];
  const executions = yield* all(sql<ExecutionColumns>`
    SELECT e.id, e.workspace_id, e.agent_id, e.created_at, e.last_seq, e.summary, p.seq, p.state
    FROM json_array_elements_text(${JSON.stringify(ids)}::json) AS i(id)
    JOIN executions e ON e.id = i.id
    LEFT JOIN read_executions p ON p.execution_id = e.id
    WHERE e.last_seq > coalesce(p.seq, 0)`);
  if (executions.length === 0) return [];
  const from = JSON.stringify(executions.map(({ id, seq }) => ({ id, seq: seq ?? 0 })));
  const appends = yield* all(sql<AppendColumns & { readonly id: string }>`
    SELECT i.id, a.last_seq, a.entries FROM json_to_recordset(${from}::json) AS i(id text, seq bigint)
    CROSS JOIN LATERAL (
      SELECT last_seq, entries FROM appends WHERE execution_id = i.id AND last_seq > i.seq
      ORDER BY last_seq LIMIT ${APPENDS_PER_READ}) a
    ORDER BY i.id, a.last_seq`);
  const byExecution = Map.groupBy(appends, ({ id }) => id);
  return executions.map((execution) => unreadRows(execution, byExecution.get(execution.id) ?? []));
}

function* write({ positions, tools, calls, points }: DerivedRows): UnitOfWork<void> {
  if (positions.length > 0) {
    yield* all(sql`
      INSERT INTO read_executions (execution_id, seq, state)
      SELECT id, seq, state FROM json_to_recordset(${JSON.stringify(positions)}::json)
        AS r(id text, seq bigint, state text)
      ON CONFLICT (execution_id) DO UPDATE SET seq = excluded.seq, state = excluded.state`);
  }
  if (tools.length > 0) {
    yield* all(sql`
      INSERT INTO execution_tools (workspace_id, tool, execution_id)
      SELECT "workspaceId", tool, "executionId" FROM json_to_recordset(${JSON.stringify(tools)}::json)
        AS r("workspaceId" text, tool text, "executionId" text)
      ON CONFLICT DO NOTHING`);
  }
  if (calls.length > 0) {
    yield* all(sql`
      INSERT INTO tool_calls (id, workspace_id, execution_id, tool, status, code, requested_at, finished_at)
      SELECT id, "workspaceId", "executionId", tool, status, code, "requestedAt", "finishedAt"
      FROM json_to_recordset(${JSON.stringify(calls)}::json)
        AS r(id text, "workspaceId" text, "executionId" text, tool text, status text, code text, "requestedAt" bigint,
             "finishedAt" bigint)
      ON CONFLICT (id) DO UPDATE
      SET status = excluded.status, code = excluded.code, finished_at = excluded.finished_at`);
  }
  if (points.length > 0) {
    yield* all(sql`
      INSERT INTO metric_points (workspace_id, step, metric, at, label, bucket, value)
      SELECT "workspaceId", step, metric, at, label, bucket, value
      FROM json_to_recordset(${JSON.stringify(points)}::json)
        AS r("workspaceId" text, step integer, metric text, at bigint, label text, bucket integer,
             value double precision)
      ON CONFLICT (workspace_id, step, metric, at, label, bucket)
      DO UPDATE SET value = metric_points.value + excluded.value`);
  }
}

/** One statement per table for all rows of a step, because each statement takes a round trip. */
export const postgresTables: ReadModelTables = { unread, write };
