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
 * @param monotonicNow - ms on a clock that never jumps.
 */
export function watchWrites(eventStore: EventStore, monotonicNow: () => number): WriteHealth {
  let refusal: { readonly at: number; readonly error: YagateError } | undefined;

  async function watched<Result>(write: Promise<Result>): Promise<Result> {
    try {
      const result = await write;
      refusal = undefined;
      return result;
    } catch (error) {
      if (YagateError.is(error) && error.code === "UNAVAILABLE") refusal = { at: monotonicNow(), error };
      throw error;
    }
  }

  return {
    eventStore: {
      ...eventStore,
      create: (execution) => watched(eventStore.create(execution)),
      append: (append) => watched(eventStore.append(append)),
    },
    assertAccepted() {
      if (refusal !== undefined && monotonicNow() - refusal.at < REFUSED_FOR_MS) throw refusal.error;
    },
  };
}
