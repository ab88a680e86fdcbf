import { createYielder } from "../../async/event-loop.ts";

/** Work on a large text that pauses from time to time. */
export type Steps<Result> = Generator<void, Result, void>;

/** Duration after which the next pause yields to the event loop. */
const MAX_SLICE_MS = 5;

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs the steps to the end, and yields to the event loop from time to time. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  const yieldNow = createYielder(MAX_SLICE_MS);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const pause = yieldNow();
    if (pause !== undefined) await pause;
  }
}
