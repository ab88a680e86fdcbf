import { setImmediate as nextTurn } from "node:timers/promises";

/** How long is worked on before others get their turn. */
const TURN_MS = 15;

/** To be awaited between small pieces of long work: lets others have their turn whenever 15 ms have passed. */
export function createTurns(): () => Promise<void> | undefined {
  let startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt < TURN_MS) return undefined;
    return nextTurn().then(() => {
      startedAt = performance.now();
    });
  };
}
