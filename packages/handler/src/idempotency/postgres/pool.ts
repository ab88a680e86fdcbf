/** What runs statements, as far as the store needs it: a `Pool` of `pg`, or anything with its `query`. */
export interface PostgresPool {
  query(statement: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}
