import type { Append, EventEntryListener, Unsubscribe } from "./event-store.ts";

/** Hands durable entries to those who listen in this process. */
export class Publisher {
  readonly #listeners = new Map<string, Set<EventEntryListener>>();
  readonly #onError: (error: unknown) => void;

  /** @param onError - is told what a listener threw; the other listeners are called all the same. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  subscribe(executionId: string, listener: EventEntryListener): Unsubscribe {
    const listeners = this.#listeners.get(executionId) ?? new Set();
    // Wrapped, so that a function that subscribed twice is called twice and leaves once at a time.
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
      // One that another listener has just unsubscribed is not called any more.
      if (!listeners.has(listener)) continue;
      try {
        listener(entries, summary);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
