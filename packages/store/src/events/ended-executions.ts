import { fromJson } from "../json-column.ts";
import type { EpochMs } from "../port.ts";
import type { DeletionFailure, RetentionStore } from "../retention/retention-store.ts";
import { shortJson } from "./texts-apart.ts";

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
