import type { NewExecution } from "../events/execution-row.ts";
import { QuotaExceededError } from "../quotas/quota-exceeded.ts";
import type { SqliteConnection } from "./connection.ts";

/**
 * Counts the unfinished executions of each workspace in memory. Only this process writes the store, so a count that is
 * incremented in a commit, and decremented if the commit fails, is exact and needs no statement.
 */
export class PendingCounts {
  readonly #counts: Map<string, number>;
  /** Executions that are already counted, but whose commit is still in progress. */
  readonly #placed = new Set<string>();

  constructor(connection: SqliteConnection) {
    const open = connection.prepare<{ workspace_id: string; count: number }>(
      // Otherwise, the query planner would use the index of all executions, and startup would read every one of them.
      "SELECT workspace_id, count(*) AS count FROM executions INDEXED BY executions_open WHERE is_open = 1 GROUP BY workspace_id",
    );
    this.#counts = new Map(open.all().map(({ workspace_id, count }) => [workspace_id, count]));
  }

  of(workspaceId: string): number {
    return this.#counts.get(workspaceId) ?? 0;
  }

  /**
   * Counts an execution in the commit that creates it, when its idempotency key is known to be new. The commit may run
   * twice; the execution is counted only once until {@link settle}.
   *
   * @returns the error if the workspace is at its limit.
   */
  take({ id, workspaceId, maxPending = null }: NewExecution): QuotaExceededError | undefined {
    if (this.#placed.has(id)) return undefined;
    const used = this.of(workspaceId);
    if (maxPending !== null && used >= maxPending) {
      return new QuotaExceededError({ quota: "pendingExecutions", limit: maxPending, used });
    }
    this.#placed.add(id);
    this.#counts.set(workspaceId, used + 1);
    return undefined;
  }

  /** Call this after the commit. It subtracts the execution if it was not created. */
  settle({ id, workspaceId }: NewExecution, isMade: boolean): void {
    if (this.#placed.delete(id) && !isMade) this.giveBack(workspaceId);
  }

  /** Call this when an execution has ended. */
  giveBack(workspaceId: string): void {
    const left = this.of(workspaceId) - 1;
    if (left > 0) this.#counts.set(workspaceId, left);
    else this.#counts.delete(workspaceId);
  }
}
