/** Chance that a run of the test can repeat: the same seed gives the same numbers (mulberry32). */
export interface SeededRandom {
  readonly seed: number;
  /** In [0, 1). */
  next(): number;
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** @param text - a seed to repeat; without one, another run is another seed. */
export function createSeededRandom(text: string | undefined): SeededRandom {
  const seed = text === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(text);
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32) throw new Error("expected a seed from 0 to 2^32 - 1");
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    seed,
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick(items) {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error("expected something to pick from");
      return item;
    },
  };
}
