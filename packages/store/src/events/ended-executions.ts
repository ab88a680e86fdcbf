import type { ExecutionEvent } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import { fromJson } from "../json-column.ts";
import type { DeletionFailure, RetentionStore } from "../retention/retention.ts";
import { shortJson } from "./texts-apart.ts";

/** Tables whose rows contain the execution in their column `execution_id` and are deleted with it. */
export const EXECUTION_TABLES = ["execution_requests", "appends", "execution_texts"] as const;

/**
 * Tables whose ids appear in the events of an execution, and the name of their id column. Their rows are also deleted
 * with the execution.
 */
export const NAMED_TABLES = [
  { table: "exchanges", column: "attempt_id" },
  { table: "call_ids", column: "id" },
  { table: "approvals", column: "id" },
  { table: "input_requests", column: "tool_call_id" },
] as const;

/** The event fields that contain ids of {@link NAMED_TABLES}. */
export const NAMING_FIELDS = ["toolCallId", "attemptId", "approvalId"] as const;

export interface AgedExecution {
  readonly id: string;
  readonly created_at: EpochMs;
  /**
   * The column `summary`, which contains the time at which the execution ended; null while the execution is unfinished.
   */
  readonly ended_summary: string | null;
}

/**
 * The queries of {@link createEndedDeletion}. They return unparsed JSON, so that a damaged row does not stop the
 * deletion.
 */
export interface ExecutionRows {
  /** Returns up to `limit` executions with ids after this one, ordered by id. */
  after(id: string, limit: number): Promise<readonly AgedExecution[]>;
  /** Returns the ids of tool calls, attempts and approvals in the events of these executions. */
  namedIds(executionIds: readonly string[]): Promise<readonly string[]>;
  /** Deletes these executions and all their rows in one commit. */
  remove(executionIds: readonly string[], namedIds: readonly string[]): Promise<void>;
}

/**
 * Creates `RetentionStore.deleteEnded`. Ids are ordered by creation, and no execution ends before it is created.
 * Reading along the primary key therefore finds all old executions, and executions need no index on their end time.
 */
export function createEndedDeletion(rows: ExecutionRows): RetentionStore["deleteEnded"] {
  const remove = async (ids: readonly string[]) => rows.remove(ids, await rows.namedIds(ids));

  /** Deletes the executions one at a time, so that one failure does not prevent the others. */
  async function removeSingly(ids: readonly string[]): Promise<readonly DeletionFailure[]> {
    const failures: DeletionFailure[] = [];
    for (const id of ids) {
      try {
        await remove([id]);
      } catch (error) {
        // Throws if the database is unavailable; the failure then has nothing to do with this execution.
        await rows.after(id, 1);
        failures.push({ executionId: id, error });
      }
    }
    return failures;
  }

  return async ({ endedBefore, afterId, limit }) => {
    const page = await rows.after(afterId, limit);
    const failures: DeletionFailure[] = [];
    const old: string[] = [];
    for (const row of page) {
      try {
        if (row.created_at < endedBefore && endedAt(row) < endedBefore) old.push(row.id);
      } catch (error) {
        failures.push({ executionId: row.id, error });
      }
    }
    if (old.length > 0) {
      await remove(old).catch(async () => {
        failures.push(...(await removeSingly(old)));
      });
    }
    const last = page.at(-1);
    const isOver = last === undefined || page.length < limit || last.created_at >= endedBefore;
    const kept = new Set(failures.map(({ executionId }) => executionId));
    const deleted = old.filter((id) => !kept.has(id)).length;
    return { deleted, failures, nextAfterId: isOver ? undefined : last.id };
  };
}

function endedAt({ ended_summary }: AgedExecution): EpochMs {
  if (ended_summary === null) return Number.POSITIVE_INFINITY;
  const { finishedAt } = fromJson<{ readonly finishedAt: EpochMs | null }>(shortJson(ended_summary));
  return finishedAt ?? Number.POSITIVE_INFINITY;
}

type NamingEvent = Partial<Record<(typeof NAMING_FIELDS)[number], string | null>> & Pick<ExecutionEvent, "type">;

/**
 * Returns the ids of tool calls, attempts and approvals in the events of one append.
 *
 * @param entriesJson - the column `entries` of the append.
 * @throws YagateError `UNAVAILABLE` if it is not JSON.
 */
export function idsNamedIn(entriesJson: string): readonly string[] {
  const entries = fromJson<readonly { readonly event: NamingEvent }[]>(shortJson(entriesJson));
  return entries.flatMap(({ event }) =>
    NAMING_FIELDS.map((field) => event[field]).filter((id) => typeof id === "string"),
  );
}
