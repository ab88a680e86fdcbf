import type { Effect } from "../machine/effects.ts";

/** What a run has under way. */
export interface InFlight {
  readonly type: Effect["type"];
  readonly controller: AbortController;
  /** Ends what has not left yet. */
  readonly unsent: AbortController;
  /** It waits for a concurrency slot of its endpoint. */
  isQueued: boolean;
  /** It was taken out of the queue of its endpoint, so that it can be sent later, by another process too. */
  isWithdrawn: boolean;
}

export function toInFlight({ type }: Effect): InFlight {
  const [controller, unsent] = [new AbortController(), new AbortController()];
  return { type, controller, unsent, isQueued: false, isWithdrawn: false };
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

/** Ends what another process can do just as well: a model turn, and an attempt that waits for a slot. Only calls on their way are worth waiting for. */
export function leaveToOthers(inFlight: InFlight): void {
  const { type, controller, unsent, isQueued } = inFlight;
  if (type === "model") controller.abort(OVER);
  if (type !== "attempt" || !isQueued) return;
  inFlight.isWithdrawn = true;
  unsent.abort(OVER);
}
