import { sql } from "../sql.ts";
import { all, first, type UnitOfWork } from "../unit-of-work.ts";
import type { ReadModelTables } from "./derived-rows.ts";
import { foldExecutions } from "./fold-executions.ts";
import type { FoldExecution, ReadModelStep } from "./port.ts";

/** The setting that contains the id of the last execution that was added; empty once all are added. */
export const BACKFILL = "read_models.backfill";

export function* backfillPosition(): UnitOfWork<string> {
  const row = yield* first(sql<{ value: string }>`SELECT value FROM settings WHERE name = ${BACKFILL}`);
  return row?.value ?? "";
}

interface Older {
  readonly id: string;
  readonly last_seq: number;
  readonly seq: number | null;
}

/** Adds the events of executions below the position, newest first, and moves it. */
export function* backfillStep(tables: ReadModelTables, fold: FoldExecution, limit: number): UnitOfWork<ReadModelStep> {
  const below = yield* backfillPosition();
  if (below === "") return { isOver: true, failures: [] };
  const older = yield* all(sql<Older>`
    SELECT e.id, e.last_seq, p.seq FROM executions e LEFT JOIN read_executions p ON p.execution_id = e.id
    WHERE e.id < ${below} ORDER BY e.id DESC LIMIT ${limit}`);
  const unread = older.filter(({ last_seq, seq }) => (seq ?? 0) < last_seq).map(({ id }) => id);
  const { unfinished, failures } = yield* foldExecutions(tables, yield* tables.unread(unread), fold);
  // An execution with more events than one step reads must be found again.
  const next = unfinished.length > 0 ? below : (older.at(-1)?.id ?? "");
  yield* all(sql`UPDATE settings SET value = ${next} WHERE name = ${BACKFILL}`);
  return { isOver: next === "", failures };
}
