import { BACKFILL } from "../read-models/backfill.ts";
import { foldExecutions } from "../read-models/fold-executions.ts";
import type { FoldExecution, ReadModelStep, ReadModelStore } from "../read-models/port.ts";
import { createReadModelQueries } from "../read-models/read-model-queries.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import type { SqliteConnection } from "./connection.ts";

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

/** Returns the appends after the position, in the order in which they were written. */
const appendsAfter = (rowid: number, limit: number) => sql<{ row: number; id: string }>`
  SELECT rowid AS row, execution_id AS id FROM appends WHERE rowid > ${rowid} ORDER BY rowid LIMIT ${limit}`;

function* advance(fold: FoldExecution, limit: number): UnitOfWork<ReadModelStep> {
  const left = yield* all(sql<{ id: string }>`
    DELETE FROM read_model_changes WHERE execution_id IN (SELECT execution_id FROM read_model_changes LIMIT ${limit})
    RETURNING execution_id AS id`);
  const appends = yield* all(appendsAfter(yield* position(), limit));
  const last = appends.at(-1)?.row;
  if (last !== undefined) yield* moveTo(last);
  const ids = new Set([...left, ...appends].map(({ id }) => id));
  const { unfinished, failures } = yield* foldExecutions([...ids], fold);
  for (const id of unfinished) yield* all(sql`INSERT INTO read_model_changes (execution_id) VALUES (${id})`);
  return { isOver: ids.size === 0, failures };
}

/** Returns whether a step has something to do, because a step that writes nothing would still be a commit. */
function* hasChanged(): UnitOfWork<boolean> {
  if ((yield* all(appendsAfter(yield* position(), 1))).length > 0) return true;
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
    ...createReadModelQueries(units),
    claim: async () => true,
    async advance(fold, limit) {
      if (!(await units.read(hasChanged))) return { isOver: true, failures: [] };
      return units.write(() => advance(fold, limit));
    },
  };
}
