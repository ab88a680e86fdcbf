import type { EpochMs } from "./port.ts";
import type { RetentionStore } from "./retention-store.ts";

/** One of a run of executions, in the order of their ids. */
export interface AgedExecution {
  readonly id: string;
  readonly created_at: EpochMs;
  /** When it ended; null while it is unfinished. */
  readonly finished_at: EpochMs | null;
}

/** What a database does for {@link createEndedDeletion}. */
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
  return async ({ endedBefore, afterId, limit }) => {
    const page = await rows.after(afterId, limit);
    const old = page.filter(({ finished_at }) => finished_at !== null && finished_at < endedBefore).map(({ id }) => id);
    if (old.length > 0) await rows.remove(old, await rows.namedIds(old));
    const last = page.at(-1);
    const isOver = last === undefined || page.length < limit || last.created_at >= endedBefore;
    return { deleted: old.length, nextAfterId: isOver ? undefined : last.id };
  };
}
