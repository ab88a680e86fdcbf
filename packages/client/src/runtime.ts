/** The client's clock, timers and randomness. Tests pass their own. */
export interface Runtime {
  /** Returns the current time in ms since the epoch. */
  now(): number;
  /** Returns a random number of at least 0 and less than 1. */
  random(): number;
  /** Returns a unique idempotency key. */
  newIdempotencyKey(): string;
  /** Resolves after `ms`. Rejects with the signal's reason as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** Calls `run` after `ms`, unless the returned function is called first. */
  after(ms: number, run: () => void): () => void;
}

/** The system's clock, timers and randomness. */
export const systemRuntime: Runtime = {
  now: () => Date.now(),
  random: () => Math.random(),
  newIdempotencyKey,
  sleep,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

// Not crypto.randomUUID: browsers provide it only in secure contexts.
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
