import type { CallOutcome } from "./store.ts";

type Wake = (outcome: CallOutcome | undefined) => void;

/** Waiters for the end of running calls. */
export class Waiters {
  readonly #wakes = new Map<string, Set<Wake>>();

  /**
   * Resolves with the outcome passed to {@link wake}, or with undefined after the timeout or when the signal is
   * aborted.
   */
  wait(key: string, timeoutMs: number, signal: AbortSignal): Promise<CallOutcome | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const stop = () => wake(undefined);
      const timer = setTimeout(stop, Math.max(0, timeoutMs));
      const wake: Wake = (outcome) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        this.#remove(key, wake);
        resolve(outcome);
      };
      signal.addEventListener("abort", stop);
      this.#add(key, wake);
    });
  }

  /** Wakes all waiters for the key. */
  wake(key: string, outcome: CallOutcome): void {
    for (const wake of this.#wakes.get(key) ?? []) wake(outcome);
  }

  #add(key: string, wake: Wake): void {
    const wakes = this.#wakes.get(key) ?? new Set();
    this.#wakes.set(key, wakes.add(wake));
  }

  #remove(key: string, wake: Wake): void {
    const wakes = this.#wakes.get(key);
    wakes?.delete(wake);
    if (wakes?.size === 0) this.#wakes.delete(key);
  }
}
