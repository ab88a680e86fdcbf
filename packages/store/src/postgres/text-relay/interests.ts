import type { Interest, InterestKind } from "./messages.ts";

/** The executions that this process subscribes to, and the changes that have not been announced yet. */
export class Interests {
  readonly #held = new Set<string>();
  readonly #unsent = new Map<string, InterestKind>();

  /** Adds an execution. It is announced together with other changes made shortly before or after it. */
  listen(executionId: string): void {
    this.#held.add(executionId);
    this.#unsent.set(executionId, "listen");
  }

  stop(executionId: string): void {
    this.#held.delete(executionId);
    this.#unsent.set(executionId, "stop");
  }

  has(executionId: string): boolean {
    return this.#held.has(executionId);
  }

  /**
   * Schedules the announcement of all subscriptions: `listen` for a replica that does not know them yet, `renew` for
   * replicas that do.
   */
  announceAll(kind: "listen" | "renew"): void {
    for (const executionId of this.#held) {
      if (kind === "listen" || !this.#unsent.has(executionId)) this.#unsent.set(executionId, kind);
    }
  }

  get areAnnounced(): boolean {
    return this.#unsent.size === 0;
  }

  /** Returns the pending announcements and marks them as sent. */
  take(): readonly Interest[] {
    const byKind = Map.groupBy(this.#unsent, ([, kind]) => kind);
    this.#unsent.clear();
    return [...byKind].map(([kind, entries]) => ({ kind, executionIds: entries.map(([executionId]) => executionId) }));
  }
}
