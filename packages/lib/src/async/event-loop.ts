/** Resolves after the event loop has handled pending input, output and due timers. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Awaited between small pieces of long work; see {@link createYielder}. */
export type Yielder = () => Promise<void> | undefined;

/**
 * Divides long work into slices.
 *
 * @param maxSliceMs - how long work may go on before others get the event loop.
 * @returns a function to await between small pieces of the work. It yields only when a slice has lasted that long, and
 *   returns `undefined` otherwise, so that a tight loop need not wait for a promise.
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
