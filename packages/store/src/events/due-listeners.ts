import type { Unsubscribe } from "./event-store.ts";

/** Listeners for executions that became due. */
export class DueListeners {
  readonly #listeners = new Set<() => void>();
  readonly #onListenerError: (error: unknown) => void;

  /** @param onListenerError - called with an error that a listener threw; other listeners are still called. */
  constructor(onListenerError: (error: unknown) => void) {
    this.#onListenerError = onListenerError;
  }

  add(listener: () => void): Unsubscribe {
    // The same function may be added twice.
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  notify(): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }
}
