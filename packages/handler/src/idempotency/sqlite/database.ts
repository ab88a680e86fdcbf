/** A value that a statement of {@link SqliteDatabase} can bind. */
type SqliteValue = string | number | null;

/** A prepared statement of {@link SqliteDatabase}. */
export interface SqliteStatement {
  get(...values: SqliteValue[]): unknown;
  run(...values: SqliteValue[]): { readonly changes: number | bigint };
}

/**
 * The part of an open SQLite database that the store needs: `DatabaseSync` of `node:sqlite`, `Database` of
 * `better-sqlite3` or `Database` of `bun:sqlite`.
 */
export interface SqliteDatabase {
  exec(statements: string): unknown;
  prepare(statement: string): SqliteStatement;
  /** Whether a transaction is open, as `node:sqlite` reports it. */
  readonly isTransaction?: boolean;
  /** Whether a transaction is open, as the other drivers report it. */
  readonly inTransaction?: boolean;
}
