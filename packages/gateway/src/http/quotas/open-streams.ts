import type { Quotas } from "@yagate/protocol";
import { QuotaExceededError } from "@yagate/store/quotas/quota-exceeded";

/** One open event stream of a workspace. */
export interface StreamSlot {
  /** Names the execution of the stream. @throws QuotaExceededError when that execution has too many streams. */
  follow(executionId: string): void;
  /** Idempotent. */
  close(): void;
}

/** Counts the open event streams of this process by workspace. */
export class OpenStreams {
  readonly #totals = new Map<string, number>();
  /** By workspace, then by execution. */
  readonly #ofExecutions = new Map<string, Map<string, number>>();

  /** @throws QuotaExceededError. */
  open(workspaceId: string, quotas: Pick<Quotas, "eventStreams" | "eventStreamsPerExecution">): StreamSlot {
    assertBelow("eventStreams", quotas.eventStreams, this.used(workspaceId));
    // Checked here, so that no execution starts if its stream could never open.
    assertBelow("eventStreamsPerExecution", quotas.eventStreamsPerExecution, 0);
    add(this.#totals, workspaceId, 1);
    let executionId: string | undefined;
    let isOpen = true;
    return {
      follow: (id) => {
        const counts = this.#ofExecutions.get(workspaceId) ?? new Map<string, number>();
        assertBelow("eventStreamsPerExecution", quotas.eventStreamsPerExecution, counts.get(id) ?? 0);
        if (!isOpen) return;
        executionId = id;
        add(counts, id, 1);
        this.#ofExecutions.set(workspaceId, counts);
      },
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        add(this.#totals, workspaceId, -1);
        const counts = this.#ofExecutions.get(workspaceId);
        if (executionId === undefined || counts === undefined) return;
        add(counts, executionId, -1);
        if (counts.size === 0) this.#ofExecutions.delete(workspaceId);
      },
    };
  }

  used(workspaceId: string): number {
    return this.#totals.get(workspaceId) ?? 0;
  }

  /** The highest number of streams for one execution. */
  mostOfOneExecution(workspaceId: string): number {
    return Math.max(0, ...(this.#ofExecutions.get(workspaceId)?.values() ?? []));
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

function assertBelow(quota: "eventStreams" | "eventStreamsPerExecution", limit: number | null, used: number): void {
  if (limit !== null && used >= limit) throw new QuotaExceededError({ quota, limit, used });
}
