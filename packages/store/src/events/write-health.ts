import { YagateError } from "@yagate/protocol";
import type { EventStore } from "./event-store.ts";

/** A refusal says something about now for so long; after it only a try can tell. */
const REFUSED_FOR_MS = 5_000;

/** Remembers how the last write of an execution went: a try of its own may find room where they find none. */
export interface WriteHealth {
  /** The journal to write to. */
  readonly eventStore: EventStore;
  /** @throws YagateError `UNAVAILABLE` when the store refused the last write a moment ago, with its reason. */
  assertAccepted(): void;
}

/** @param monotonicNow - ms on a clock that never jumps. */
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
