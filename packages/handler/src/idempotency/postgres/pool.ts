/** Runs statements: a `Pool` of `pg`, or anything with the same `query`. */
export interface PostgresPool {
  query(statement: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}
