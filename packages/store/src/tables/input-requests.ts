import type { InputRequest, InputRequestQuery, InputRequestStatus, InputResolution, Page } from "@yagate/protocol";
import { idBelow, toPage } from "../cursor.ts";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";

/** What a person sees who answers: the details at the time when the tool asked. */
export type InputRequestDetails = Pick<InputRequest, "agentId" | "agentVersion" | "agentName" | "tool" | "questions">;

/** The questions of one round, stored in the same commit as its event `input.requested`. */
export interface NewInputRequest {
  readonly toolCallId: string;
  readonly workspaceId: string;
  readonly executionId: string;
  readonly round: number;
  /** ms since the epoch. */
  readonly requestedAt: number;
  readonly expiresAt: number;
  readonly details: InputRequestDetails;
}

/**
 * The latest round of a tool call with its answers, which are stored in the same commit as the event `input.received`
 * or `input.withdrawn`.
 */
export interface InputRequestRow extends NewInputRequest {
  readonly status: InputRequestStatus;
  readonly resolution: InputResolution | null;
}

/** Reads input requests. They are written with the events of their executions; see {@link Append}. */
export interface InputRequestStore {
  find(workspaceId: string, toolCallId: string): Promise<InputRequestRow | undefined>;
  /** Lists input requests, those of the newest tool calls first: all of them, or those with one status. */
  list(workspaceId: string, query: InputRequestQuery): Promise<Page<InputRequestRow>>;
}

interface InputRequestRecord {
  readonly tool_call_id: string;
  readonly workspace_id: string;
  readonly execution_id: string;
  readonly round: number;
  readonly status: InputRequestStatus;
  readonly requested_at: number;
  readonly expires_at: number;
  readonly details: string;
  readonly resolution: string | null;
}

function toRow(record: InputRequestRecord): InputRequestRow {
  return {
    toolCallId: record.tool_call_id,
    workspaceId: record.workspace_id,
    executionId: record.execution_id,
    round: record.round,
    status: record.status,
    requestedAt: record.requested_at,
    expiresAt: record.expires_at,
    details: fromJson<InputRequestDetails>(record.details),
    resolution: record.resolution === null ? null : fromJson<InputResolution>(record.resolution),
  };
}

function* find(workspaceId: string, toolCallId: string): UnitOfWork<InputRequestRow | undefined> {
  const record = yield* first(sql<InputRequestRecord>`
    SELECT tool_call_id, workspace_id, execution_id, round, status, requested_at, expires_at, details, resolution
    FROM input_requests WHERE tool_call_id = ${toolCallId} AND workspace_id = ${workspaceId}`);
  return record && toRow(record);
}

function* list(workspaceId: string, { limit, cursor, status }: InputRequestQuery): UnitOfWork<Page<InputRequestRow>> {
  const below = idBelow(cursor);
  const records = yield* all(
    status === undefined
      ? sql<InputRequestRecord>`
    SELECT tool_call_id, workspace_id, execution_id, round, status, requested_at, expires_at, details, resolution
    FROM input_requests WHERE workspace_id = ${workspaceId} AND tool_call_id < ${below}
    ORDER BY tool_call_id DESC LIMIT ${limit + 1}`
      : sql<InputRequestRecord>`
    SELECT tool_call_id, workspace_id, execution_id, round, status, requested_at, expires_at, details, resolution
    FROM input_requests WHERE workspace_id = ${workspaceId} AND status = ${status} AND tool_call_id < ${below}
    ORDER BY tool_call_id DESC LIMIT ${limit + 1}`,
  );
  return toPage(records, limit, ({ tool_call_id }) => tool_call_id, toRow);
}

export function createInputRequestStore(units: UnitRunner): InputRequestStore {
  return {
    find: (workspaceId, toolCallId) => units.read(() => find(workspaceId, toolCallId)),
    list: (workspaceId, query) => units.read(() => list(workspaceId, query)),
  };
}
