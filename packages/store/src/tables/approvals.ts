import type { Approval, ApprovalQuery, ApprovalResolution, ApprovalStatus, Page } from "@yagate/protocol";
import { idBelow, toPage } from "../cursor.ts";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";

/** What the approver sees: the details at the time when the approval was requested. */
export type ApprovalDetails = Pick<
  Approval,
  | "agentId"
  | "agentVersion"
  | "agentName"
  | "tool"
  | "policyReason"
  | "parameters"
  | "request"
  | "requestHash"
  | "inputPreview"
>;

/** An approval request, stored in the same commit as its event `approval.requested`. */
export interface NewApproval {
  readonly id: string;
  readonly workspaceId: string;
  readonly executionId: string;
  readonly toolCallId: string;
  /** ms since the epoch. */
  readonly requestedAt: number;
  readonly expiresAt: number;
  readonly details: ApprovalDetails;
}

/** An approval request with its decision, which is stored in the same commit as the event `approval.resolved`. */
export interface ApprovalRow extends NewApproval {
  readonly status: ApprovalStatus;
  readonly resolution: ApprovalResolution | null;
}

/** Reads approval requests. They are written with the events of their executions; see {@link Append}. */
export interface ApprovalStore {
  find(workspaceId: string, approvalId: string): Promise<ApprovalRow | undefined>;
  /** Lists approval requests, newest first: all of them, or those with one status. */
  list(workspaceId: string, query: ApprovalQuery): Promise<Page<ApprovalRow>>;
}

interface ApprovalRecord {
  readonly id: string;
  readonly workspace_id: string;
  readonly execution_id: string;
  readonly tool_call_id: string;
  readonly status: ApprovalStatus;
  readonly requested_at: number;
  readonly expires_at: number;
  readonly details: string;
  readonly resolution: string | null;
}

function toRow(record: ApprovalRecord): ApprovalRow {
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    executionId: record.execution_id,
    toolCallId: record.tool_call_id,
    status: record.status,
    requestedAt: record.requested_at,
    expiresAt: record.expires_at,
    details: fromJson<ApprovalDetails>(record.details),
    resolution: record.resolution === null ? null : fromJson<ApprovalResolution>(record.resolution),
  };
}

function* find(workspaceId: string, approvalId: string): UnitOfWork<ApprovalRow | undefined> {
  const record = yield* first(sql<ApprovalRecord>`
    SELECT id, workspace_id, execution_id, tool_call_id, status, requested_at, expires_at, details, resolution
    FROM approvals WHERE id = ${approvalId} AND workspace_id = ${workspaceId}`);
  return record && toRow(record);
}

function* list(workspaceId: string, { limit, cursor, status }: ApprovalQuery): UnitOfWork<Page<ApprovalRow>> {
  const below = idBelow(cursor);
  const records = yield* all(
    status === undefined
      ? sql<ApprovalRecord>`
    SELECT id, workspace_id, execution_id, tool_call_id, status, requested_at, expires_at, details, resolution
    FROM approvals WHERE workspace_id = ${workspaceId} AND id < ${below} ORDER BY id DESC LIMIT ${limit + 1}`
      : sql<ApprovalRecord>`
    SELECT id, workspace_id, execution_id, tool_call_id, status, requested_at, expires_at, details, resolution
    FROM approvals WHERE workspace_id = ${workspaceId} AND status = ${status} AND id < ${below}
    ORDER BY id DESC LIMIT ${limit + 1}`,
  );
  return toPage(records, limit, ({ id }) => id, toRow);
}

export function createApprovalStore(units: UnitRunner): ApprovalStore {
  return {
    find: (workspaceId, approvalId) => units.read(() => find(workspaceId, approvalId)),
    list: (workspaceId, query) => units.read(() => list(workspaceId, query)),
  };
}
