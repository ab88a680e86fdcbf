import { defined } from "@yagate/lib/objects/defined";
import type { ExecutionRequest, ExecutionStatus } from "@yagate/protocol";
import { fromJson } from "../json-column.ts";
import type { ExecutionRow, ExecutionSummary, NewExecution } from "./execution-row.ts";

/** A row of `executions` with its request, with the column types that both databases return. */
export interface ExecutionRecord {
  readonly id: string;
  readonly workspace_id: string;
  readonly agent_id: string;
  readonly agent_version: number;
  readonly started_by_key_id: string | null;
  readonly created_at: number;
  readonly last_seq: number;
  readonly epoch: number;
  readonly status: ExecutionStatus;
  readonly summary: string;
  readonly request: string;
}

/** Selects {@link ExecutionRecord}s. Append a `WHERE` clause that refers to the execution as `e`. */
export const SELECT_EXECUTIONS = `
  SELECT e.id, e.workspace_id, e.agent_id, e.agent_version, e.started_by_key_id, e.created_at, e.last_seq, e.epoch,
         e.status, e.summary, r.request
  FROM executions e JOIN execution_requests r ON r.execution_id = e.id`;

/** The content of the column `summary`; the status has its own column. */
type StoredSummary = Omit<ExecutionSummary, "status">;

/**
 * Returns the value of the column `summary`. It omits the status, which has a separate column so that queries can
 * filter by it.
 */
export function toSummaryJson({ status: _, ...summary }: ExecutionSummary): string {
  return JSON.stringify(summary satisfies StoredSummary);
}

/** Returns the state of the execution that is stored in a row. */
export function toSummary({ status, summary }: Pick<ExecutionRecord, "status" | "summary">): ExecutionSummary {
  return { status, ...fromJson<StoredSummary>(summary) };
}

type StoredContext = Pick<NewExecution, "trace" | "mode" | "replay">;

/** The content of the column `request`: the request and what is stored with it. */
type StoredRequest = ExecutionRequest & StoredContext;

/** Returns the value of the column `request` for a new execution. */
export function toRequestJson({ request, trace, mode, replay }: Pick<NewExecution, "request"> & StoredContext): string {
  const stored: StoredRequest = { ...request, ...defined({ trace, mode, replay }) };
  return JSON.stringify(stored);
}

function fromRequestJson(json: string): Pick<ExecutionRow, "request"> & StoredContext {
  const { trace, mode, replay, ...request } = fromJson<StoredRequest>(json);
  return { request, ...defined({ trace, mode, replay }) };
}

export function toExecutionRow(record: ExecutionRecord): ExecutionRow {
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    agentId: record.agent_id,
    agentVersion: record.agent_version,
    startedByKeyId: record.started_by_key_id,
    ...fromRequestJson(record.request),
    lastSeq: record.last_seq,
    epoch: record.epoch,
    createdAt: record.created_at,
    ...toSummary(record),
  };
}

/** The epoch of the process that created an execution. */
export const FIRST_EPOCH = 1;

/** The state of a new execution. */
export const QUEUED: ExecutionSummary = {
  status: "queued",
  stopReason: null,
  output: null,
  error: null,
  usage: { inputTokens: 0, outputTokens: 0, toolCalls: 0 },
  cost: { usd: 0, credits: 0 },
  startedAt: null,
  finishedAt: null,
};

/** {@link QUEUED} as stored in the row. */
export const QUEUED_JSON = toSummaryJson(QUEUED);

/** Creates the row of a new execution. */
export function toQueuedRow(execution: NewExecution): ExecutionRow {
  const { id, workspaceId, agentId, agentVersion, startedByKeyId, request, createdAt } = execution;
  const { trace, mode, replay } = execution;
  const row = { id, workspaceId, agentId, agentVersion, startedByKeyId, request, createdAt };
  return { ...row, ...defined({ trace, mode, replay }), ...QUEUED, lastSeq: 0, epoch: FIRST_EPOCH };
}
