import type { Effect } from "./machine/effects.ts";

/** What a run has under way. */
export interface InFlight {
  readonly controller: AbortController;
  /** Ends what has not left yet. */
  readonly unsent: AbortController;
  /** It waits for a concurrency slot of its endpoint. */
  isQueued: boolean;
}

/** Whether there are any, and all of them wait for a slot. */
export function areQueued(inFlight: Iterable<InFlight>): boolean {
  let isAny = false;
  for (const { isQueued } of inFlight) {
    if (!isQueued) return false;
    isAny = true;
  }
  return isAny;
}

// One for all: an abort without a reason makes a DOMException with a stack, for nobody to read.
export const OVER = new Error("the execution does not wait for this any more");

/** Ends what the machine does not wait for any more, or as much of it as has not left. */
export function stopIfOver(effect: Effect, { controller, unsent }: InFlight): void {
  if (effect.type === "model") return;
  if (effect.isAborted) controller.abort(OVER);
  if (effect.type === "attempt" && effect.isTooLateToSend) unsent.abort(OVER);
}
