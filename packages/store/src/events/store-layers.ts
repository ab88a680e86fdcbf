import { YagateError } from "@yagate/protocol";
import type { Append, AppendEnd, AppendOutcome, EventStore } from "./event-store.ts";

/**
 * Receives the outcomes of writes to an event store. Its methods must not throw, because the code that writes would
 * receive the error.
 */
interface EventStoreObserver {
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

/** How long the store counts as failing after a failed write. */
const REFUSED_FOR_MS = 5_000;

/**
 * Reports whether writes of executions currently succeed. A test write cannot show this, because it may succeed
 * although such writes fail.
 */
export interface WriteHealth {
  /** The event store whose writes are watched. Write through this one. */
  readonly eventStore: EventStore;
  /** @throws YagateError `UNAVAILABLE`, with the reason, if the last write failed less than 5 seconds ago. */
  assertAccepted(): void;
}

/**
 * Watches the writes of an event store.
 *
 * @param monotonicNow - returns the time of a monotonic clock in ms.
 */
export function watchWrites(eventStore: EventStore, monotonicNow: () => number): WriteHealth {
  let refusal: { readonly at: number; readonly error: YagateError } | undefined;

  function noteFailure(error: unknown): void {
    if (YagateError.is(error) && error.code === "UNAVAILABLE") refusal = { at: monotonicNow(), error };
  }

  return {
    eventStore: {
      ...eventStore,
      async create(execution) {
        try {
          const created = await eventStore.create(execution);
          refusal = undefined;
          return created;
        } catch (error) {
          noteFailure(error);
          throw error;
        }
      },
      append(append, done) {
        eventStore.append(append, (end) => {
          if (typeof end === "string") refusal = undefined;
          else noteFailure(end.error);
          done(end);
        });
      },
    },
    assertAccepted() {
      if (refusal !== undefined && monotonicNow() - refusal.at < REFUSED_FOR_MS) throw refusal.error;
    },
  };
}
