import type { Quotas } from "@yagate/protocol";
import { QuotaExceededError } from "@yagate/store/quotas/quota-exceeded";

/** One open event stream of a workspace. */
export interface StreamSlot {
  /**
   * Counts the stream towards the limit of this execution.
   * @throws QuotaExceededError if the execution has too many streams.
   */
  follow(executionId: string): void;
  /** Frees the slot. Idempotent. */
  close(): void;
}

/** Counts the open event streams of this process by workspace. */
export class OpenStreams {
  readonly #totals = new Map<string, number>();
  /** The number of open streams by workspace, then by execution. */
  readonly #ofExecutions = new Map<string, Map<string, number>>();

  /**
   * Takes a slot for a stream.
   * @throws QuotaExceededError if the workspace has too many streams.
   */
  open(workspaceId: string, quotas: Pick<Quotas, "eventStreams" | "eventStreamsPerExecution">): StreamSlot {
    assertBelow("eventStreams", quotas.eventStreams, this.used(workspaceId));
    // Checked here too, so that no execution starts whose stream could never open.
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

  /** Returns the largest number of streams that are open for any one execution of the workspace. */
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

/** Limits the event streams of each workspace in this process to the number that its plan allows. */
export class StreamAdmission {
  readonly #quotasOf: (workspaceId: string) => Promise<Quotas>;
  readonly #streams = new OpenStreams();

  constructor(quotasOf: (workspaceId: string) => Promise<Quotas>) {
    this.#quotasOf = quotasOf;
  }

  /**
   * Takes a slot. Call this before starting or reading an execution. The slot is freed as soon as the client
   * disconnects (`signal`), even if the gateway is still reading events for the stream.
   *
   * @throws QuotaExceededError if the workspace has too many streams.
   */
  async open(workspaceId: string, signal: AbortSignal): Promise<StreamSlot> {
    const slot = this.#streams.open(workspaceId, await this.#quotasOf(workspaceId));
    if (signal.aborted) slot.close();
    else signal.addEventListener("abort", () => slot.close(), { once: true });
    return slot;
  }

  used(workspaceId: string): number {
    return this.#streams.used(workspaceId);
  }

  /** Returns the largest number of streams that are open for any one execution of the workspace. */
  mostOfOneExecution(workspaceId: string): number {
    return this.#streams.mostOfOneExecution(workspaceId);
  }
}
