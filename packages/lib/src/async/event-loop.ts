/** Resolves after the event loop has handled pending input and output, and due timers. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A function to await between small units of long work; see {@link createYielder}. */
export type Yielder = () => Promise<void> | undefined;

/**
 * Creates a function that divides long work into slices.
 *
 * @param maxSliceMs - how long the work may run before the event loop gets control.
 * @returns a function to await between small units of work. It yields only if the current slice has lasted that long.
 *   Otherwise, it returns `undefined`, so that a tight loop does not have to await a promise.
 */
export function createYielder(maxSliceMs: number): Yielder {
  let startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt < maxSliceMs) return undefined;
    return yieldToEventLoop().then(() => {
      startedAt = performance.now();
    });
  };
}
