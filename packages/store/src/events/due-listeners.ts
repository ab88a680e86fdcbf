import type { Unsubscribe } from "./event-store.ts";

/** Who wants to know that an execution was made due. */
export class DueListeners {
  readonly #listeners = new Set<() => void>();
  readonly #onListenerError: (error: unknown) => void;

  /** @param onListenerError - is told what a listener threw; the others hear of it all the same. */
  constructor(onListenerError: (error: unknown) => void) {
    this.#onListenerError = onListenerError;
  }

  add(listener: () => void): Unsubscribe {
    // Somebody may add the same function twice.
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  tell(): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }
}
