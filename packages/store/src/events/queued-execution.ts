import { defined } from "@yagate/lib/objects/defined";
import type { ExecutionRow, ExecutionSummary, NewExecution } from "../port.ts";
import { toSummaryJson } from "./execution-record.ts";

/** The epoch of whoever made an execution. */
export const FIRST_EPOCH = 1;

/** How an execution stands before anybody has advanced it. */
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

/** {@link QUEUED} as the row keeps it. */
export const QUEUED_JSON = toSummaryJson(QUEUED);

/** The row of an execution that was just made. */
export function toQueuedRow(execution: NewExecution): ExecutionRow {
  const { id, workspaceId, agentId, agentVersion, startedByKeyId, request, trace, createdAt } = execution;
  const row = { id, workspaceId, agentId, agentVersion, startedByKeyId, request, createdAt };
  return { ...row, ...defined({ trace }), ...QUEUED, lastSeq: 0, epoch: FIRST_EPOCH };
}
