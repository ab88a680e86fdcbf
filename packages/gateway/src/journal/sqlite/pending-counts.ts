import { QuotaExceededError } from "../quota-exceeded.ts";
import type { SqliteConnection } from "./connection.ts";

/**
 * How many executions of each workspace have not ended. This process alone writes the journal, so a number in memory,
 * taken before a commit and given back when it fails, is exact and costs no statement.
 */
export class PendingCounts {
  readonly #counts: Map<string, number>;

  constructor(connection: SqliteConnection) {
    const open = connection.prepare<{ workspace_id: string; count: number }>(
      "SELECT workspace_id, count(*) AS count FROM executions WHERE is_open = 1 GROUP BY workspace_id",
    );
    this.#counts = new Map(open.all().map(({ workspace_id, count }) => [workspace_id, count]));
  }

  of(workspaceId: string): number {
    return this.#counts.get(workspaceId) ?? 0;
  }

  /** Takes a place; false: the workspace has none left. */
  take(workspaceId: string, limit: number | null): boolean {
    const count = this.of(workspaceId);
    if (limit !== null && count >= limit) return false;
    this.#counts.set(workspaceId, count + 1);
    return true;
  }

  /** An execution has ended, or was not made after all. */
  giveBack(workspaceId: string): void {
    const left = this.of(workspaceId) - 1;
    if (left > 0) this.#counts.set(workspaceId, left);
    else this.#counts.delete(workspaceId);
  }

  refusal(workspaceId: string, limit: number): QuotaExceededError {
    return new QuotaExceededError({ quota: "pendingExecutions", limit, used: this.of(workspaceId) });
  }
}
