import { createYielder } from "../../async/event-loop.ts";

/** Work on a large text, which pauses now and then. */
export type Steps<Result> = Generator<void, Result, void>;

/** After so long the next pause is used to let others have their turn. */
const MAX_SLICE_MS = 5;

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same, letting whatever else the process has to do go on in between. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  const yieldNow = createYielder(MAX_SLICE_MS);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const pause = yieldNow();
    if (pause !== undefined) await pause;
  }
}
