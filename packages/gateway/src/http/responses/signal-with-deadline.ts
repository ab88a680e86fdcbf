/** A signal that is also aborted at a moment, and what stops the waiting for it. */
export interface EndingSignal {
  readonly signal: AbortSignal;
  stop(): void;
}

// Made once: without a reason of its own, each abort would make an error with a stack.
const ENDED = new Error("the time of what lets in is over");

/** @param endsAt - in ms since the epoch; undefined: the signal as it is. */
export function signalWithDeadline(signal: AbortSignal, endsAt: number | undefined, now: () => number): EndingSignal {
  if (endsAt === undefined) return { signal, stop: () => {} };
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(ENDED), endsAt - now());
  timer.unref();
  return { signal: AbortSignal.any([signal, end.signal]), stop: () => clearTimeout(timer) };
}
