/**
 * Number of sets after which the iterator is replaced, because it keeps all tables that its Map has outgrown in memory.
 */
const MAX_SETS_HELD = 1_000;

/**
 * A map of at most `max` entries (default: unlimited) that evicts the entry that was set least recently. Use it if
 * entries are deleted when their work is done: an `LRUCache` clears arrays of `max` items whenever its last entry is
 * deleted, which costs more than the work in between.
 */
export class RecencyMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #max: number;
  /**
   * An iterator whose next entry is the oldest one, because all earlier entries have been removed. A new iterator would
   * visit all deleted entries again each time: 8 µs instead of 0.3 µs with 10,000 entries.
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

  /** Removes the entry that was set least recently and returns its value; undefined if the map is empty. */
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
