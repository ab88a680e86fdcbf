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
  // A Map lists keys in the order of insertion: the first one was used longest ago.
  const kept = new Map<string, Aged<Value> & { readonly characters: number }>();
  let characters = 0;

  function drop(key: string): void {
    characters -= kept.get(key)?.characters ?? 0;
    kept.delete(key);
  }

  return {
    get(key, maxAgeMs) {
      const entry = kept.get(key);
      // A clock that was set back makes nothing younger than it is.
      if (entry === undefined || Math.abs(now() - entry.at) >= maxAgeMs) return undefined;
      kept.delete(key);
      kept.set(key, entry);
      return { value: entry.value, at: entry.at };
    },
    set(key, value) {
      drop(key);
      const size = charactersOf(value) + key.length;
      if (size > maxCharacters) return;
      kept.set(key, { value, at: now(), characters: size });
      characters += size;
      for (const oldest of kept.keys()) {
        if (kept.size <= maxEntries && characters <= maxCharacters) return;
        drop(oldest);
      }
    },
  };
}
