import { keyOf, type Row, type Source } from "./source.ts";
import type { MovedTable } from "./tables.ts";
import type { Target } from "./target.ts";

/** A difference between the source and the target. */
export interface Difference {
  readonly table: string;
  /** The primary key of the row, or what was compared. */
  readonly row: string;
  readonly problem: string;
}

/** Compares all rows of a table. @param onRows - called with the number of rows of each batch. */
export async function compareTable(
  source: Source,
  target: Target,
  table: MovedTable,
  onRows: (count: number) => void,
): Promise<readonly Difference[]> {
  const { name } = table;
  const found: Difference[] = [];
  let last: Row | undefined;
  for (;;) {
    const rows = source.batch(table, last && keyOf(table, last));
    last = rows.at(-1);
    if (last === undefined) break;
    const textOf = (row: Row) => JSON.stringify(keyOf(table, row));
    const theirs = new Map((await target.rowsLike(table, rows)).map((row) => [textOf(row), row]));
    for (const row of rows) {
      const key = textOf(row);
      const problem = problemOf(table, row, theirs.get(key));
      if (problem !== undefined) found.push({ table: name, row: key, problem });
    }
    onRows(rows.length);
  }
  const [expected, actual] = [source.count(table), await target.count(table)];
  if (expected === actual) return found;
  return [...found, { table: name, row: "*", problem: `expected ${expected} rows, found ${actual}` }];
}

function problemOf({ columns }: MovedTable, row: Row, their: Row | undefined): string | undefined {
  if (their === undefined) return "the row is missing";
  // Values may be secrets, so only the names of their columns are shown.
  const different = columns.filter(({ name }) => row[name] !== their[name]).map(({ name }) => name);
  return different.length === 0 ? undefined : `different values in ${different.join(", ")}`;
}

/**
 * Checks that executions are found by their metadata. Texts that PostgreSQL can't read, which contain U+0000 or half a
 * surrogate pair, are never found there.
 */
export async function compareMetadata(source: Source, target: Target): Promise<readonly Difference[]> {
  let missing = 0;
  let page = source.metadata(undefined);
  while (page !== undefined) {
    const readable = page.pairs.filter(({ pair }) => !/[\0\uFFFD]/.test(pair));
    missing += await target.missingPairs(readable);
    page = source.metadata(page.last);
  }
  return missing === 0 ? [] : [{ table: "execution_metadata", row: "*", problem: `${missing} pairs are missing` }];
}
