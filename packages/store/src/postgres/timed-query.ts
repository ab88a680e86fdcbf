import type { QueryConfig } from "pg";

/**
 * A statement with a limit of its own: the library rejects after it, and then the connection can't be used any more. Its
 * types know this setting of whole connections only.
 */
export function timedQuery(query: QueryConfig, timeoutMs: number): QueryConfig & { readonly query_timeout: number } {
  return { ...query, query_timeout: timeoutMs };
}
