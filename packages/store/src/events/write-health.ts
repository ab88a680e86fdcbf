import { YagateError } from "@yagate/protocol";
import type { EventStore } from "./event-store.ts";

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
