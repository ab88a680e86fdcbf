import { LRUCache } from "lru-cache";
/** Something kept, and since when. */
export interface Aged<Value> {
  readonly value: Value;
  /** ms since the epoch. */
  readonly at: number;
}

/** Keeps values for a while, in this process alone; what was used longest ago goes first. */
export interface AgedCache<Value> {
  /** @returns undefined for what is not there, or is older. */
  get(key: string, maxAgeMs: number): Aged<Value> | undefined;
  set(key: string, value: Value): void;
}

/** Bounds of an {@link AgedCache}. */
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
      // A clock that was set back makes nothing younger than it is.
      if (entry === undefined || Math.abs(now() - entry.at) >= maxAgeMs) return undefined;
      return kept.get(key);
    },
    set(key, value) {
      kept.set(key, { value, at: now() });
    },
  };
}
