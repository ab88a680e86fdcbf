import type { ExecutionEvent } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import { fromJson } from "../json-column.ts";
import type { DeletionFailure, RetentionStore } from "../retention/retention.ts";
import { shortJson } from "./texts-apart.ts";

/** Tables whose rows belong to the execution that their column `execution_id` names, and go with it. */
export const EXECUTION_TABLES = ["execution_requests", "appends", "execution_texts"] as const;

/** Tables of what an execution's events name by an id, and the column that holds it: they go with it, too. */
export const NAMED_TABLES = [
  { table: "exchanges", column: "attempt_id" },
  { table: "call_ids", column: "id" },
  { table: "approvals", column: "id" },
] as const;

/** The fields of events that name rows of these tables. */
export const NAMING_FIELDS = ["toolCallId", "attemptId", "approvalId"] as const;

/** One of a run of executions, in the order of their ids. */
export interface AgedExecution {
  readonly id: string;
  readonly created_at: EpochMs;
  /** The column `summary`, which says when it ended; null while it is unfinished. */
  readonly ended_summary: string | null;
}

/** What a database does for {@link createEndedDeletion}. It hands out JSON as it is: no damage in it may stop a walk. */
export interface ExecutionRows {
  /** Executions with ids after this one, at most `limit`, in the order of their ids. */
  after(id: string, limit: number): Promise<readonly AgedExecution[]>;
  /** The ids that events of these executions name: of tool calls, attempts and approvals. */
  namedIds(executionIds: readonly string[]): Promise<readonly string[]>;
  /** Deletes these executions and all that is theirs, in one commit. */
  remove(executionIds: readonly string[], namedIds: readonly string[]): Promise<void>;
}

/**
 * Makes `RetentionStore.deleteEnded`. Ids are in the order of their making, and nothing ends before it was made: so a
 * walk along the primary key finds all that is old, and no index on the time of the end has to be written by every
 * execution.
 */
export function createEndedDeletion(rows: ExecutionRows): RetentionStore["deleteEnded"] {
  const remove = async (ids: readonly string[]) => rows.remove(ids, await rows.namedIds(ids));

  /** One that can't be deleted takes no other with it. */
  async function removeSingly(ids: readonly string[]): Promise<readonly DeletionFailure[]> {
    const failures: DeletionFailure[] = [];
    for (const id of ids) {
      try {
        await remove([id]);
      } catch (error) {
        // A database that is away says nothing of this execution; it throws here, too.
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
 * The ids that the events of one append name: of tool calls, attempts and approvals.
 *
 * @param entriesJson - as the column `entries` of the appends holds it.
 * @throws YagateError `UNAVAILABLE` when it is not JSON.
 */
export function idsNamedIn(entriesJson: string): readonly string[] {
  const entries = fromJson<readonly { readonly event: NamingEvent }[]>(shortJson(entriesJson));
  return entries.flatMap(({ event }) =>
    NAMING_FIELDS.map((field) => event[field]).filter((id) => typeof id === "string"),
  );
}
