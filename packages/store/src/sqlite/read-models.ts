import { BACKFILL, backfillPosition } from "../read-models/backfill.ts";
import { foldExecutions } from "../read-models/fold-executions.ts";
import type { FoldExecution, ReadModelStep, ReadModelStore } from "../read-models/port.ts";
import { createReadModelQueries } from "../read-models/read-model-queries.ts";
import type { AppendColumns, UnreadRows } from "../read-models/unread-execution.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import type { SqliteConnection } from "./connection.ts";
import { appendsAfter, hasAppendsAfter, sqliteTables, unreadAmong } from "./read-model-tables.ts";

/** The setting with the rowid of the last append that was read. */
const POSITION = "read_models.appends";

function* position(): UnitOfWork<number> {
  const row = yield* first(sql<{ value: string }>`SELECT value FROM settings WHERE name = ${POSITION}`);
  return Number(row?.value ?? 0);
}

function* moveTo(rowid: number): UnitOfWork<void> {
  yield* all(sql`UPDATE settings SET value = ${`${rowid}`} WHERE name = ${POSITION}`);
}

function* lastRow(): UnitOfWork<number> {
  const row = yield* first(sql<{ last: number | null }>`SELECT max(rowid) AS last FROM appends`);
  return row?.last ?? 0;
}

/**
 * Reads what is unread of the executions of some appends.
 * @param isComplete - whether all that was written before these appends has been read.
 */
function* unreadIn(
  byExecution: ReadonlyMap<string, readonly AppendColumns[]>,
  isComplete: boolean,
): UnitOfWork<readonly UnreadRows[]> {
  if (!isComplete) return yield* sqliteTables.unread([...byExecution.keys()]);
  const unread: UnreadRows[] = [];
  for (const [id, appends] of byExecution) {
    const rows = yield* unreadAmong(id, appends);
    if (rows !== undefined) unread.push(rows);
  }
  return unread;
}

function* advance(fold: FoldExecution, limit: number): UnitOfWork<ReadModelStep> {
  const changed = yield* all(sql<{ id: string }>`
    DELETE FROM read_model_changes WHERE execution_id IN (SELECT execution_id FROM read_model_changes LIMIT ${limit})
    RETURNING execution_id AS id`);
  const { last, byExecution } = yield* appendsAfter(yield* position(), limit);
  if (last !== undefined) yield* moveTo(last);
  for (const { id } of changed) if (!byExecution.has(id)) byExecution.set(id, []);
  const isComplete = changed.length === 0 && (yield* backfillPosition()) === "";
  const unread = yield* unreadIn(byExecution, isComplete);
  const { unfinished, failures } = yield* foldExecutions(sqliteTables, unread, fold);
  for (const id of unfinished) yield* all(sql`INSERT INTO read_model_changes (execution_id) VALUES (${id})`);
  return { isOver: byExecution.size === 0, failures };
}

/** Returns whether a step has something to do, because a step that writes nothing would still be a commit. */
function* hasChanged(): UnitOfWork<boolean> {
  if (yield* hasAppendsAfter(yield* position())) return true;
  return (yield* first(sql<{ id: string }>`SELECT execution_id AS id FROM read_model_changes LIMIT 1`)) !== undefined;
}

/**
 * Looks at all executions again if rows were renumbered, which VACUUM may do. A stored position beyond the last row
 * shows this. Events that were read before are skipped.
 */
function* restartIfRenumbered(): UnitOfWork<void> {
  const last = yield* lastRow();
  if ((yield* position()) <= last) return;
  yield* moveTo(last);
  yield* all(sql`UPDATE settings SET value = '~' WHERE name = ${BACKFILL}`);
}

/**
 * Creates the read models. Changed executions are found by the rowids of their appends: rows are only added at the end,
 * so an append does no extra work.
 */
export function createReadModels(connection: SqliteConnection, units: UnitRunner): ReadModelStore {
  connection.perform(restartIfRenumbered());
  return {
    ...createReadModelQueries(units, sqliteTables),
    claim: async () => true,
    async advance(fold, limit) {
      if (!(await units.read(hasChanged))) return { isOver: true, failures: [] };
      return units.write(() => advance(fold, limit));
    },
  };
}
