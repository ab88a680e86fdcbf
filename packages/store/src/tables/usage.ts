import { sql } from "../sql.ts";
import { first, type UnitRunner } from "../unit-of-work.ts";
import { countAll, type QuotaCounts } from "./quota-counts.ts";

/** The usage of the quotas that all replicas share. */
export interface UsageStore {
  counts(workspaceId: string): Promise<QuotaCounts & { readonly pendingExecutions: number }>;
}

/** Returns the number of unfinished executions in a workspace. */
type PendingCount = (workspaceId: string) => Promise<number>;

export function createUsageStore(units: UnitRunner, pendingOf: PendingCount): UsageStore {
  return {
    async counts(workspaceId) {
      const [counts, pendingExecutions] = await Promise.all([
        units.read(() => countAll(workspaceId)),
        pendingOf(workspaceId),
      ]);
      return { ...counts, pendingExecutions };
    },
  };
}

/** Creates the count for a store that has an index of unfinished executions. */
export function createPendingCount(units: UnitRunner): PendingCount {
  return (workspaceId) =>
    units.read(function* () {
      const row = yield* first(sql<{ count: number }>`
        SELECT count(*) AS count FROM executions WHERE workspace_id = ${workspaceId} AND is_open = 1`);
      return Number(row?.count ?? 0);
    });
}
