import type { QuotaCounts } from "../tables/quota-counts.ts";

/** What workspaces use of the quotas that hold for all replicas together. */
export interface UsageStore {
  counts(workspaceId: string): Promise<QuotaCounts & { readonly pendingExecutions: number }>;
}

/** What the rows of workspaces take. */
export interface StoredBytesStore {
  /**
   * Adds to the totals what came since, and what went; one bounded piece of work, which a commit holds as a whole.
   * @returns whether everything that was stored before is in the totals now.
   */
  advance(): Promise<boolean>;
  /** Bytes by workspace, as of the last {@link StoredBytesStore.advance} of any process. */
  totals(): Promise<ReadonlyMap<string, number>>;
}
