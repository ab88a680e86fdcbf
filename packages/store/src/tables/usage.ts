import type { UsageStore } from "../quotas/usage-store.ts";
import { sql } from "../sql.ts";
import { first, type UnitRunner } from "../unit-of-work.ts";
import { countAll } from "./quota-counts.ts";

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
