/** Bounds of what is kept; whatever was used longest ago goes first. */
export interface RecentlyUsedLimits {
  readonly maxEntries: number;
  /** Of the texts that everything kept was made of. */
  readonly maxCharacters: number;
}

/** Definitions that were read for agents, in all. */
export const MAX_KEPT_DEFINITION_CHARACTERS = 67_108_864;

/** Keeps what was made of definitions, while it is being made and afterwards. What can't be made is not kept. */
export interface RecentlyUsed<Value> {
  get(key: string, make: () => Promise<Value>): Promise<Value>;
}

interface Entry<Value> {
  readonly made: Promise<Value>;
  /** 0 until it is known. */
  characters: number;
}

/** @param charactersOf - of the definitions that a value was made of. */
export function createRecentlyUsed<Value>(
  { maxEntries, maxCharacters }: RecentlyUsedLimits,
  charactersOf: (value: Value) => number,
): RecentlyUsed<Value> {
  // A Map lists keys in the order of insertion: the first one was used longest ago.
  const kept = new Map<string, Entry<Value>>();
  let characters = 0;

  function drop(key: string, entry: Entry<Value>): void {
    if (kept.get(key) !== entry) return;
    kept.delete(key);
    characters -= entry.characters;
  }

  function trim(): void {
    for (const [key, entry] of kept) {
      if (kept.size <= maxEntries && characters <= maxCharacters) return;
      drop(key, entry);
    }
  }

  function weigh(key: string, entry: Entry<Value>, value: Value): void {
    if (kept.get(key) !== entry) return;
    entry.characters = charactersOf(value);
    characters += entry.characters;
    trim();
  }

  return {
    get(key, make) {
      const known = kept.get(key);
      const entry = known ?? { made: make(), characters: 0 };
      kept.delete(key);
      kept.set(key, entry);
      if (known !== undefined) return entry.made;
      entry.made.then(
        (value) => weigh(key, entry, value),
        () => drop(key, entry),
      );
      trim();
      return entry.made;
    },
  };
}
