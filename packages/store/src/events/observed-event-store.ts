import type { Append, AppendEnd, AppendOutcome, EventStore } from "./event-store.ts";

/**
 * Receives the outcomes of writes to an event store. Its methods must not throw, because the code that writes would
 * receive the error.
 */
export interface EventStoreObserver {
  /** Called when a new execution is durable. */
  onCreated?(): void;
  /** Called when `count` unfinished executions were claimed from other owners. */
  onClaimed?(count: number): void;
  /** Called when an append is durable. */
  onAppended?(append: Append): void;
  /** Called with the outcome of an append and its duration in ms. `failed`: the store rejected the append. */
  onOutcome?(outcome: AppendOutcome | "failed", durationMs: number): void;
}

/** Wraps an event store so that observers are called for every write through it. */
export function observeEventStore(eventStore: EventStore, observers: readonly EventStoreObserver[]): EventStore {
  /** Returns the end that the writer receives. */
  function report(append: Append, end: AppendEnd, startedAt: number): AppendEnd {
    const outcome = typeof end === "string" ? end : "failed";
    try {
      for (const observer of observers) observer.onOutcome?.(outcome, performance.now() - startedAt);
      if (outcome === "appended") for (const observer of observers) observer.onAppended?.(append);
      return end;
    } catch (error) {
      return { error };
    }
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
    append(append, done) {
      const startedAt = performance.now();
      eventStore.append(append, (end) => done(report(append, end, startedAt)));
    },
  };
}
