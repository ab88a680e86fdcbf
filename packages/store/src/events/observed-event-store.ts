import type { Append, AppendOutcome, EventStore } from "./event-store.ts";

/** Hears what the journal did. What it throws is the caller's: it must not. */
export interface EventStoreObserver {
  /** A new execution is durable. */
  onCreated?(): void;
  /** So many unfinished executions were taken over. */
  onClaimed?(count: number): void;
  /** An append is durable. */
  onAppended?(append: Append): void;
  /** How an append ended, and after how many ms. `failed`: it was refused by the store. */
  onOutcome?(outcome: AppendOutcome | "failed", durationMs: number): void;
}

/** The same journal, with somebody who hears of everything that is appended through it. */
export function observeEventStore(eventStore: EventStore, observers: readonly EventStoreObserver[]): EventStore {
  function tell(outcome: AppendOutcome | "failed", startedAt: number): void {
    for (const observer of observers) observer.onOutcome?.(outcome, performance.now() - startedAt);
  }

  return {
    ...eventStore,
    async create(execution) {
      const created = await eventStore.create(execution);
      if (created.isNew) for (const observer of observers) observer.onCreated?.();
      return created;
    },
    async claim(claim) {
      const claimed = await eventStore.claim(claim);
      if (claimed.length > 0) for (const observer of observers) observer.onClaimed?.(claimed.length);
      return claimed;
    },
    async append(append) {
      const startedAt = performance.now();
      let outcome: AppendOutcome;
      try {
        outcome = await eventStore.append(append);
      } catch (error) {
        tell("failed", startedAt);
        throw error;
      }
      tell(outcome, startedAt);
      if (outcome === "appended") for (const observer of observers) observer.onAppended?.(append);
      return outcome;
    },
  };
}
