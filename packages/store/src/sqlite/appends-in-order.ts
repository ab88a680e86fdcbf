import type { AppendColumns } from "../read-models/unread-execution.ts";
import { sql } from "../sql.ts";
import { all, type UnitOfWork } from "../unit-of-work.ts";

const APPENDS_PER_STATEMENT = 64;
/** Appends that one call reads for each execution, at most on average. */
const APPENDS_PER_EXECUTION = 4;
/** Enough for a step: more would block other work, and stay in memory until the step has ended. */
const MAX_CHARACTERS = 4_194_304;

interface AppendRow extends AppendColumns {
  readonly row: number;
  readonly id: string;
}

const rowsAfter = (rowid: number, limit: number) => sql<AppendRow>`
  SELECT rowid AS row, execution_id AS id, last_seq, entries FROM appends
  WHERE rowid > ${rowid} ORDER BY rowid LIMIT ${limit}`;

/** Returns whether there is an append after a rowid. */
export function* hasAppendsAfter(rowid: number): UnitOfWork<boolean> {
  const rows = yield* all(sql<{ row: number }>`SELECT rowid AS row FROM appends WHERE rowid > ${rowid} LIMIT 1`);
  return rows.length > 0;
}

/**
 * Reads appends in the order in which they were written, which reads each page of the table once.
 * @returns those of at most `limit` executions, and the rowid of the last one; undefined if there is none.
 */
export function* appendsAfter(
  rowid: number,
  limit: number,
): UnitOfWork<{ readonly last: number | undefined; readonly byExecution: Map<string, AppendColumns[]> }> {
  const byExecution = new Map<string, AppendColumns[]>();
  let last: number | undefined;
  let characters = 0;
  for (let count = 0; count < limit * APPENDS_PER_EXECUTION && characters < MAX_CHARACTERS; ) {
    const rows = yield* all(rowsAfter(last ?? rowid, APPENDS_PER_STATEMENT));
    for (const append of rows) {
      const known = byExecution.get(append.id);
      if (known === undefined && byExecution.size === limit) return { last, byExecution };
      if (known === undefined) byExecution.set(append.id, [append]);
      else known.push(append);
      last = append.row;
      characters += append.entries.length;
    }
    count += rows.length;
    if (rows.length < APPENDS_PER_STATEMENT) break;
  }
  return { last, byExecution };
}
