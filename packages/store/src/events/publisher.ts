import type { Append, EventEntryListener, Unsubscribe } from "./event-store.ts";

/** Delivers durable entries to subscribers in this process. */
export class Publisher {
  readonly #listeners = new Map<string, Set<EventEntryListener>>();
  readonly #onError: (error: unknown) => void;

  /** @param onError - called with an error that a listener threw; other listeners are still called. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  subscribe(executionId: string, listener: EventEntryListener): Unsubscribe {
    const listeners = this.#listeners.get(executionId) ?? new Set();
    // A wrapper, so that a function that subscribes twice is called twice, and each unsubscription removes only one
    // subscription.
    const own: EventEntryListener = (entries, summary) => listener(entries, summary);
    this.#listeners.set(executionId, listeners.add(own));
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(executionId) === listeners) this.#listeners.delete(executionId);
    };
  }

  publish({ executionId, entries, summary }: Pick<Append, "executionId" | "entries" | "summary">): void {
    const listeners = this.#listeners.get(executionId);
    if (listeners === undefined || entries.length === 0) return;
    for (const listener of [...listeners]) {
      // A listener that was called before may have removed this one.
      if (!listeners.has(listener)) continue;
      try {
        listener(entries, summary);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}

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
