import type { EventEntry } from "../events/event-store.ts";
import type { ExecutionSummary } from "../events/execution-row.ts";
import { shortJson } from "../events/texts-apart.ts";
import { fromJson } from "../json-column.ts";
import type { UnreadExecution } from "./port.ts";

/** Appends per read of one execution. An execution with more is read again in the next step. */
export const APPENDS_PER_READ = 64;

/** The columns of an execution that are unread, unparsed. */
export interface UnreadRows {
  readonly id: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly createdAt: number;
  readonly summary: string;
  readonly state: string | null;
  readonly entries: readonly string[];
  /** The number of the last event that was read. */
  readonly upTo: number;
  readonly isLast: boolean;
}

/** The columns that show whether an execution has unread events. */
export interface ExecutionColumns {
  readonly id: string;
  readonly workspace_id: string;
  readonly agent_id: string;
  readonly created_at: number;
  readonly last_seq: number;
  readonly summary: string;
  /** Null if nothing of it was read. */
  readonly seq: number | null;
  readonly state: string | null;
}

/** One commit of an execution's events. */
export interface AppendColumns {
  readonly last_seq: number;
  readonly entries: string;
}

/** Joins an execution with the first of its unread appends, in order. */
export function unreadRows(execution: ExecutionColumns, appends: readonly AppendColumns[]): UnreadRows {
  const upTo = appends.at(-1)?.last_seq ?? execution.last_seq;
  return {
    id: execution.id,
    workspaceId: execution.workspace_id,
    agentId: execution.agent_id,
    createdAt: execution.created_at,
    summary: execution.summary,
    state: execution.state,
    entries: appends.map(({ entries }) => entries),
    upTo,
    isLast: upTo >= execution.last_seq,
  };
}

type StoredTotals = Pick<ExecutionSummary, "usage" | "cost">;

/**
 * Parses the columns. Large texts are replaced by empty ones, because no read model contains them.
 *
 * @throws YagateError `UNAVAILABLE` if a column is damaged.
 */
export function parseUnread({ entries, summary, upTo: _upTo, isLast: _isLast, ...rest }: UnreadRows): UnreadExecution {
  const { usage, cost } = fromJson<StoredTotals>(shortJson(summary));
  const events = entries.flatMap((json) => fromJson<EventEntry[]>(shortJson(json)).map(({ event }) => event));
  return {
    ...rest,
    totals: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens, usd: cost.usd },
    events,
  };
}
