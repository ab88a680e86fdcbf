/** The iterator is dropped after this many sets, because it keeps in memory all tables that its Map has outgrown. */
const MAX_SETS_HELD = 1_000;

/**
 * A map of at most `max` entries (default: unlimited) that evicts the entry that was set least recently. Use it for
 * entries that are deleted when their work is done: an `LRUCache` clears arrays of `max` items whenever its last entry
 * is deleted, which costs more than the work in between.
 */
export class RecencyMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #max: number;
  /**
   * Continues at the oldest entry, because all entries before it have been taken. A new iterator would visit all
   * deleted entries again each time: 8 µs instead of 0.3 with 10 000 entries.
   */
  #fromOldest: MapIterator<[string, Value]> | undefined;
  #setsSinceTaken = 0;

  constructor(max = Number.POSITIVE_INFINITY) {
    this.#max = max;
  }

  get size(): number {
    return this.#entries.size;
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  /** Returns the value of a key without changing the order. */
  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Sets the value of a key and makes the entry the most recent one. */
  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#setsSinceTaken += 1;
    if (this.#setsSinceTaken > MAX_SETS_HELD) this.#fromOldest = undefined;
    if (this.#entries.size > this.#max) this.takeOldest();
  }

  delete(key: string): boolean {
    return this.#entries.delete(key);
  }

  /** Removes and returns the entry that was set least recently; undefined for an empty map. */
  takeOldest(): Value | undefined {
    this.#setsSinceTaken = 0;
    let oldest = this.#fromOldest?.next();
    if (oldest === undefined || oldest.done === true) {
      this.#fromOldest = this.#entries.entries();
      oldest = this.#fromOldest.next();
    }
    if (oldest.done === true) return undefined;
    const [key, value] = oldest.value;
    this.#entries.delete(key);
    return value;
  }
}
