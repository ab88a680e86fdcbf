import { sql } from "../sql.ts";
import { first, type UnitRunner } from "../unit-of-work.ts";
import { countAll, type QuotaCounts } from "./quota-counts.ts";

/** What workspaces use of the quotas that hold for all replicas together. */
export interface UsageStore {
  counts(workspaceId: string): Promise<QuotaCounts & { readonly pendingExecutions: number }>;
}

/** How many executions of a workspace have not ended. */
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

/** For a store that has an index of them. */
export function createPendingCount(units: UnitRunner): PendingCount {
  return (workspaceId) =>
    units.read(function* () {
      const row = yield* first(sql<{ count: number }>`
        SELECT count(*) AS count FROM executions WHERE workspace_id = ${workspaceId} AND is_open = 1`);
      return Number(row?.count ?? 0);
    });
}
