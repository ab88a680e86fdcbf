/** Gives others their turn, when it has been long since they had one. */
export type TakeTurns = () => Promise<void>;

/** How long one piece of work after the other may go on before others get their turn, in ms. */
const MAX_STRETCH_MS = 5;

/** For a work that takes seconds as a whole: to be called between its pieces. */
export function createTurns(): TakeTurns {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < MAX_STRETCH_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}
