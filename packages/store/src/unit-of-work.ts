import type { SqlStatement } from "./sql.ts";

/**
 * An atomic unit of work on the tables, written once for every database: it yields statements and continues with the
 * rows that they return. SQLite returns rows synchronously, inside its commit group; PostgreSQL returns them
 * asynchronously.
 *
 * A unit may run twice (see `GroupCommit`), so it must have no effect except through its statements.
 */
export type UnitOfWork<Result> = Generator<SqlStatement<unknown>, Result, readonly unknown[]>;

/** Runs units of work. */
export interface UnitRunner {
  /** Runs a unit that only reads. */
  read<Result>(unit: () => UnitOfWork<Result>): Promise<Result>;
  /** Runs a unit and resolves after its commit. A unit that throws changes nothing. */
  write<Result>(unit: () => UnitOfWork<Result>): Promise<Result>;
}

/** Runs one statement and returns its rows: `const rows = yield* all(sql<Row>\`SELECT …\`)`. */
export function* all<Row>(statement: SqlStatement<Row>): UnitOfWork<readonly Row[]> {
  // The rows are our own: their shape is declared next to the statement.
  return (yield statement) as readonly Row[];
}

/** Runs one statement and returns its first row. */
export function* first<Row>(statement: SqlStatement<Row>): UnitOfWork<Row | undefined> {
  return (yield* all(statement))[0];
}
