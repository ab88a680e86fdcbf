import type { Unsubscribe } from "./event-store.ts";

/** Functions that are called with each value; with none, for listeners without an argument. */
export class Listeners<Value = void> {
  readonly #listeners = new Set<(value: Value) => void>();
  readonly #onListenerError: (error: unknown) => void;

  /** @param onListenerError - called with an error that a listener threw; other listeners are still called. */
  constructor(onListenerError: (error: unknown) => void) {
    this.#onListenerError = onListenerError;
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  add(listener: (value: Value) => void): Unsubscribe {
    // The same function may be added twice.
    const own = (value: Value) => listener(value);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  notify(value: Value): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }
}
