import type { DerivedRows, ReadModelTables } from "../read-models/derived-rows.ts";
import {
  APPENDS_PER_READ,
  type AppendColumns,
  type ExecutionColumns,
  type UnreadRows,
  unreadRows,
} from "../read-models/unread-execution.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork } from "../unit-of-work.ts";

const columnsOf = (id: string) => sql<ExecutionColumns>`
  SELECT e.id, e.workspace_id, e.agent_id, e.created_at, e.last_seq, e.summary, p.seq, p.state
  FROM executions e LEFT JOIN read_executions p ON p.execution_id = e.id WHERE e.id = ${id}`;

function* readUnread(id: string): UnitOfWork<UnreadRows | undefined> {
  const found = yield* first(columnsOf(id));
  if (found === undefined || (found.seq ?? 0) >= found.last_seq) return undefined;
  const appends = yield* all(sql<AppendColumns>`
    SELECT last_seq, entries FROM appends WHERE execution_id = ${id} AND last_seq > ${found.seq ?? 0}
    ORDER BY last_seq LIMIT ${APPENDS_PER_READ}`);
  return unreadRows(found, appends);
}

/** Returns what is unread of an execution whose appends before the given ones have been read. */
export function* unreadAmong(id: string, appends: readonly AppendColumns[]): UnitOfWork<UnreadRows | undefined> {
  const found = yield* first(columnsOf(id));
  if (found === undefined) return undefined;
  const { seq } = found;
  const unread = seq === null ? appends : appends.filter(({ last_seq }) => last_seq > seq);
  // Later appends are not in a further read of this execution: they are found in their order.
  return unread.length === 0 ? undefined : { ...unreadRows(found, unread), isLast: true };
}

function* unread(ids: readonly string[]): UnitOfWork<readonly UnreadRows[]> {
  const found: UnreadRows[] = [];
  for (const id of ids) {
    const rows = yield* readUnread(id);
    if (rows !== undefined) found.push(rows);
  }
  return found;
}

const APPENDS_PER_STATEMENT = 64;
/** Appends that one call reads for each execution, at most on average. */
const APPENDS_PER_EXECUTION = 4;
/** Enough for a step: more would block other work, and stay in memory until the step has ended. */
const MAX_CHARACTERS = 4_194_304;

interface AppendRow extends AppendColumns {
  readonly row: number;
  readonly id: string;
}

const rowsAfter = (rowid: number, limit: number) => sql<AppendRow>`
  SELECT rowid AS row, execution_id AS id, last_seq, entries FROM appends
  WHERE rowid > ${rowid} ORDER BY rowid LIMIT ${limit}`;

/** Returns whether there is an append after a rowid. */
export function* hasAppendsAfter(rowid: number): UnitOfWork<boolean> {
  const rows = yield* all(sql<{ row: number }>`SELECT rowid AS row FROM appends WHERE rowid > ${rowid} LIMIT 1`);
  return rows.length > 0;
}

/**
 * Reads appends in the order in which they were written, which reads each page of the table once.
 * @returns those of at most `limit` executions, and the rowid of the last one; undefined if there is none.
 */
export function* appendsAfter(
  rowid: number,
  limit: number,
): UnitOfWork<{ readonly last: number | undefined; readonly byExecution: Map<string, AppendColumns[]> }> {
  const byExecution = new Map<string, AppendColumns[]>();
  let last: number | undefined;
  let characters = 0;
  for (let count = 0; count < limit * APPENDS_PER_EXECUTION && characters < MAX_CHARACTERS; ) {
    const rows = yield* all(rowsAfter(last ?? rowid, APPENDS_PER_STATEMENT));
    for (const append of rows) {
      const known = byExecution.get(append.id);
      if (known === undefined && byExecution.size === limit) return { last, byExecution };
      if (known === undefined) byExecution.set(append.id, [append]);
      else known.push(append);
      last = append.row;
      characters += append.entries.length;
    }
    count += rows.length;
    if (rows.length < APPENDS_PER_STATEMENT) break;
  }
  return { last, byExecution };
}

function* write({ positions, tools, calls, points }: DerivedRows): UnitOfWork<void> {
  for (const { id, seq, state } of positions) {
    yield* all(sql`INSERT INTO read_executions (execution_id, seq, state) VALUES (${id}, ${seq}, ${state})
      ON CONFLICT (execution_id) DO UPDATE SET seq = excluded.seq, state = excluded.state`);
  }
  for (const { workspaceId, tool, executionId } of tools) {
    yield* all(sql`INSERT INTO execution_tools (workspace_id, tool, execution_id)
      VALUES (${workspaceId}, ${tool}, ${executionId}) ON CONFLICT DO NOTHING`);
  }
  for (const { id, workspaceId, executionId, tool, status, code, requestedAt, finishedAt } of calls) {
    yield* all(sql`
      INSERT INTO tool_calls (id, workspace_id, execution_id, tool, status, code, requested_at, finished_at)
      VALUES (${id}, ${workspaceId}, ${executionId}, ${tool}, ${status}, ${code}, ${requestedAt}, ${finishedAt})
      ON CONFLICT (id) DO UPDATE
      SET status = excluded.status, code = excluded.code, finished_at = excluded.finished_at`);
  }
  for (const { workspaceId, metric, label, step, at, bucket, value } of points) {
    yield* all(sql`
      INSERT INTO metric_points (workspace_id, step, metric, at, label, bucket, value)
      VALUES (${workspaceId}, ${step}, ${metric}, ${at}, ${label}, ${bucket}, ${value})
      ON CONFLICT (workspace_id, step, metric, at, label, bucket)
      DO UPDATE SET value = metric_points.value + excluded.value`);
  }
}

/** A statement for each row: in this process, they take less time than one that unpacks all rows. */
export const sqliteTables: ReadModelTables = { unread, write };
