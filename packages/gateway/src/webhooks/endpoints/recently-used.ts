/**
 * An iterator that stands still holds every table that its Map has outgrown since, and a Map outgrows one after the
 * other while a few keys are used again and again: after so many uses it is let go.
 */
const MAX_USES_HELD = 1_000;

/** Values by key, in the order of their last use. */
export class RecentlyUsed<Value> {
  readonly #values = new Map<string, Value>();
  /**
   * Goes on from the oldest: what it has passed was taken out. A new one each time would pass over all that was deleted before:
   * measured with 10 000 entries, 8 µs instead of 0.3.
   */
  #fromOldest: MapIterator<[string, Value]> | undefined;
  #usesSinceTaken = 0;

  get size(): number {
    return this.#values.size;
  }

  values(): IterableIterator<Value> {
    return this.#values.values();
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** Adds it, or says that it is used now. */
  use(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    this.#usesSinceTaken += 1;
    if (this.#usesSinceTaken > MAX_USES_HELD) this.#fromOldest = undefined;
  }

  delete(key: string): boolean {
    return this.#values.delete(key);
  }

  /** Takes out the one that was used longest ago. */
  takeOldest(): Value | undefined {
    this.#usesSinceTaken = 0;
    let oldest = this.#fromOldest?.next();
    if (oldest === undefined || oldest.done === true) {
      this.#fromOldest = this.#values.entries();
      oldest = this.#fromOldest.next();
    }
    if (oldest.done === true) return undefined;
    const [key, value] = oldest.value;
    this.#values.delete(key);
    return value;
  }
}
