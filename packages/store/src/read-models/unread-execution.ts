import type { EventEntry } from "../events/event-store.ts";
import type { ExecutionSummary } from "../events/execution-row.ts";
import { shortJson } from "../events/texts-apart.ts";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork } from "../unit-of-work.ts";
import type { UnreadExecution } from "./port.ts";

/** Appends per read of one execution. An execution with more is read again in the next step. */
const APPENDS_PER_READ = 64;

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

interface Position {
  readonly workspace_id: string;
  readonly agent_id: string;
  readonly created_at: number;
  readonly last_seq: number;
  readonly summary: string;
  readonly seq: number | null;
  readonly state: string | null;
}

/** Reads what the read models lack of an execution. @returns undefined if they lack nothing, or it was deleted. */
export function* readUnread(id: string): UnitOfWork<UnreadRows | undefined> {
  const found = yield* first(sql<Position>`
    SELECT e.workspace_id, e.agent_id, e.created_at, e.last_seq, e.summary, p.seq, p.state
    FROM executions e LEFT JOIN read_executions p ON p.execution_id = e.id WHERE e.id = ${id}`);
  if (found === undefined || (found.seq ?? 0) >= found.last_seq) return undefined;
  const appends = yield* all(sql<{ last_seq: number; entries: string }>`
    SELECT last_seq, entries FROM appends WHERE execution_id = ${id} AND last_seq > ${found.seq ?? 0}
    ORDER BY last_seq LIMIT ${APPENDS_PER_READ}`);
  const upTo = appends.at(-1)?.last_seq ?? found.last_seq;
  return {
    id,
    workspaceId: found.workspace_id,
    agentId: found.agent_id,
    createdAt: found.created_at,
    summary: found.summary,
    state: found.state,
    entries: appends.map(({ entries }) => entries),
    upTo,
    isLast: upTo >= found.last_seq,
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
