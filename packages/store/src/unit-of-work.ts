import type { SqlStatement } from "./sql.ts";

/**
 * An atomic unit of work on the tables, written once for every database: it yields statements and continues with their
 * rows. SQLite returns rows synchronously, inside its commit group; a database over a connection may await.
 *
 * A unit may run twice (see `GroupCommit`), so it must have no effect except its statements.
 */
export type UnitOfWork<Result> = Generator<SqlStatement<unknown>, Result, readonly unknown[]>;

/** Runs units of work. */
export interface UnitRunner {
  /** For units that only read. */
  read<Result>(unit: () => UnitOfWork<Result>): Promise<Result>;
  /** Resolves after the commit; a unit that throws changes nothing. */
  write<Result>(unit: () => UnitOfWork<Result>): Promise<Result>;
}

/** Runs one statement: `const rows = yield* all(sql<Row>\`SELECT …\`)`. */
export function* all<Row>(statement: SqlStatement<Row>): UnitOfWork<readonly Row[]> {
  // The rows are our own: their shape was written beside the statement.
  return (yield statement) as readonly Row[];
}

/** Runs one statement for its first row. */
export function* first<Row>(statement: SqlStatement<Row>): UnitOfWork<Row | undefined> {
  return (yield* all(statement))[0];
}
