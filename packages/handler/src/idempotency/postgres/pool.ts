/** A pool that runs statements: a `Pool` from `pg`, or any object with the same `query`. */
export interface PostgresPool {
  query(statement: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}
