/** What can be bound to a statement of {@link SqliteDatabase}. */
type SqliteValue = string | number | null;

/** A prepared statement of {@link SqliteDatabase}. */
export interface SqliteStatement {
  get(...values: SqliteValue[]): unknown;
  run(...values: SqliteValue[]): { readonly changes: number | bigint };
}

/**
 * An open SQLite database, as far as the store needs one: `DatabaseSync` of `node:sqlite`, `Database` of
 * `better-sqlite3` and `Database` of `bun:sqlite` are such.
 */
export interface SqliteDatabase {
  exec(statements: string): unknown;
  prepare(statement: string): SqliteStatement;
  /** Of `node:sqlite`: whether a transaction is open. */
  readonly isTransaction?: boolean;
  /** Of the others: the same. */
  readonly inTransaction?: boolean;
}
