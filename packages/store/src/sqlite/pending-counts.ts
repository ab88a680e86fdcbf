import type { NewExecution } from "../events/execution-row.ts";
import { QuotaExceededError } from "../quotas/quota-exceeded.ts";
import type { SqliteConnection } from "./connection.ts";

/**
 * How many executions of each workspace have not ended. This process alone writes the journal, so a number in memory,
 * taken in a commit and given back when it fails, is exact and costs no statement.
 */
export class PendingCounts {
  readonly #counts: Map<string, number>;
  /** Executions that have a place and whose commit is on its way. */
  readonly #placed = new Set<string>();

  constructor(connection: SqliteConnection) {
    const open = connection.prepare<{ workspace_id: string; count: number }>(
      // The planner would take the index of all executions, and a start would read each of them.
      "SELECT workspace_id, count(*) AS count FROM executions INDEXED BY executions_open WHERE is_open = 1 GROUP BY workspace_id",
    );
    this.#counts = new Map(open.all().map(({ workspace_id, count }) => [workspace_id, count]));
  }

  of(workspaceId: string): number {
    return this.#counts.get(workspaceId) ?? 0;
  }

  /**
   * Takes a place for an execution within the commit that makes it, where its idempotency key is known to be new. The
   * commit may run twice, so an execution that has its place keeps it until {@link settle}.
   *
   * @returns why there is none, if the workspace has none left.
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

  /** The commit is over: an execution that was not made gives its place back. */
  settle({ id, workspaceId }: NewExecution, isMade: boolean): void {
    if (this.#placed.delete(id) && !isMade) this.giveBack(workspaceId);
  }

  /** An execution has ended. */
  giveBack(workspaceId: string): void {
    const left = this.of(workspaceId) - 1;
    if (left > 0) this.#counts.set(workspaceId, left);
    else this.#counts.delete(workspaceId);
  }
}
