import type { Page, PageQuery, ToolCallStatus } from "@yagate/protocol";
import { idBelow, toPage } from "../cursor.ts";
import { joinSql, type SqlStatement, sql } from "../sql.ts";
import { all, type UnitOfWork } from "../unit-of-work.ts";
import type { ToolCallEntry, ToolCallFilter } from "./port.ts";

export interface ToolCallRecord {
  readonly id: string;
  readonly execution_id: string;
  readonly tool: string;
  readonly status: ToolCallStatus;
  readonly code: string | null;
  readonly requested_at: number;
  readonly finished_at: number | null;
}

/** Returns the tool calls of a workspace that match the filter, newest first. */
export function* toolCallPage(
  workspaceId: string,
  page: PageQuery,
  filter: ToolCallFilter,
): UnitOfWork<Page<ToolCallEntry & { readonly executionId: string }>> {
  const rows = yield* all(toolCallPageStatement(workspaceId, page, filter));
  return toPage(
    rows,
    page.limit,
    ({ id }) => id,
    ({ id, execution_id, tool, status, code, requested_at, finished_at }) => {
      return { id, executionId: execution_id, tool, status, code, requestedAt: requested_at, finishedAt: finished_at };
    },
  );
}

/** The statement contains only the conditions that are set, so that the query planner can use the matching index. */
export function toolCallPageStatement(
  workspaceId: string,
  { limit, cursor }: PageQuery,
  { status, tool, code }: ToolCallFilter,
): SqlStatement<ToolCallRecord> {
  const fragments: SqlStatement<unknown>[] = [
    sql`SELECT id, execution_id, tool, status, code, requested_at, finished_at FROM tool_calls
      WHERE workspace_id = ${workspaceId} AND id < ${idBelow(cursor)}`,
  ];
  if (tool !== undefined) fragments.push(sql` AND tool = ${tool}`);
  if (status !== undefined) fragments.push(sql` AND status = ${status}`);
  if (code !== undefined) fragments.push(sql` AND code IS NOT NULL AND code = ${code}`);
  fragments.push(sql` ORDER BY id DESC LIMIT ${limit + 1}`);
  return joinSql(fragments);
}
