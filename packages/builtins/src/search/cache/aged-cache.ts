import { LRUCache } from "lru-cache";
/** A cached value and the time at which it was stored. */
export interface Aged<Value> {
  readonly value: Value;
  /** ms since the epoch. */
  readonly at: number;
}

/** Caches values for a limited time in this process; evicts the least recently used. */
export interface AgedCache<Value> {
  /** @returns undefined for a value that is missing or older. */
  get(key: string, maxAgeMs: number): Aged<Value> | undefined;
  set(key: string, value: Value): void;
}

/** Limits of an {@link AgedCache}. */
export interface AgedCacheOptions<Value> {
  readonly maxEntries: number;
  readonly maxCharacters: number;
  readonly charactersOf: (value: Value) => number;
  /** ms since the epoch. */
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
      // A clock that was set back must not make entries younger.
      if (entry === undefined || Math.abs(now() - entry.at) >= maxAgeMs) return undefined;
      return kept.get(key);
    },
    set(key, value) {
      kept.set(key, { value, at: now() });
    },
  };
}
