import { LRUCache } from "lru-cache";
/** A cached value and the time at which it was stored. */
export interface Aged<Value> {
  readonly value: Value;
  /** ms since the epoch. */
  readonly at: number;
}

/** Caches values for a limited time in this process. The least recently used values are evicted. */
export interface AgedCache<Value> {
  /** Returns a value, or `undefined` if it is missing or older than `maxAgeMs`. */
  get(key: string, maxAgeMs: number): Aged<Value> | undefined;
  set(key: string, value: Value): void;
}

/** Limits of an {@link AgedCache}. */
export interface AgedCacheOptions<Value> {
  readonly maxEntries: number;
  readonly maxCharacters: number;
  readonly charactersOf: (value: Value) => number;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
}

export function createAgedCache<Value>(options: AgedCacheOptions<Value>): AgedCache<Value> {
  const { maxEntries, maxCharacters, charactersOf, now } = options;
  const kept = new LRUCache<string, Aged<Value>>({
    max: maxEntries,
    maxSize: maxCharacters,
    sizeCalculation: ({ value }, key) => Math.max(1, charactersOf(value) + key.length),
  });

  return {
    get(key, maxAgeMs) {
      const entry = kept.peek(key);
      // If the clock is set back, entries must not become younger.
      if (entry === undefined || Math.abs(now() - entry.at) >= maxAgeMs) return undefined;
      return kept.get(key);
    },
    set(key, value) {
      kept.set(key, { value, at: now() });
    },
  };
}
