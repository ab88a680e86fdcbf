import type { QuotaCounts } from "./tables/quota-counts.ts";

/** What workspaces use of the quotas that hold for all replicas together. */
export interface UsageStore {
  counts(workspaceId: string): Promise<QuotaCounts & { readonly pendingExecutions: number }>;
}
