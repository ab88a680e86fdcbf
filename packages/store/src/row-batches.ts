import { type SqlStatement, sql } from "./sql.ts";

/** Numbers of rows in one statement. Few different sizes mean few different statements, which are prepared once. */
const SIZES = [100, 10, 1] as const;

/** Splits rows into batches for one statement each, because a statement for each row would take a round trip each. */
export function inBatches<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const batches: (readonly Row[])[] = [];
  let start = 0;
  for (const size of SIZES) {
    for (; rows.length - start >= size; start += size) batches.push(rows.slice(start, start + size));
  }
  return batches;
}

/** Returns one fragment for each row of a batch, separated by commas, for `VALUES` and `IN`. */
export function commaList<Row>(
  batch: readonly Row[],
  toSql: (row: Row) => SqlStatement<unknown>,
): readonly SqlStatement<unknown>[] {
  return batch.flatMap((row, index) => (index === 0 ? [toSql(row)] : [sql`, `, toSql(row)]));
}
