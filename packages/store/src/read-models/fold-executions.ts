import type { UnitOfWork } from "../unit-of-work.ts";
import { type ReadModelTables, RowGatherer } from "./derived-rows.ts";
import type { FoldExecution, FoldFailure } from "./port.ts";
import { parseUnread, type UnreadRows } from "./unread-execution.ts";

/** Folds the unread events of executions and writes the result. @returns executions with more events. */
export function* foldExecutions(
  tables: Pick<ReadModelTables, "write">,
  unread: readonly UnreadRows[],
  fold: FoldExecution,
): UnitOfWork<{ readonly unfinished: readonly string[]; readonly failures: readonly FoldFailure[] }> {
  const gatherer = new RowGatherer();
  const failures: FoldFailure[] = [];
  const unfinished: string[] = [];
  for (const rows of unread) {
    if (!rows.isLast) unfinished.push(rows.id);
    const folded = tryFold(rows, fold);
    if ("error" in folded) {
      failures.push({ executionId: rows.id, error: folded.error });
      gatherer.skip(rows);
    } else gatherer.add(rows, folded);
  }
  yield* tables.write(gatherer.rows);
  return { unfinished, failures };
}

/** A damaged execution must not stop the follower. */
function tryFold(rows: UnreadRows, fold: FoldExecution) {
  try {
    return fold(parseUnread(rows));
  } catch (error) {
    return { error };
  }
}
