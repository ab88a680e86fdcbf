/** The number of expected calls and of calls that were made. */
export interface CallCounts {
  readonly expected: number;
  readonly made: number;
}

/** Whether an expected call fits a call that was made, by their positions. */
export type Fits = (expected: number, made: number) => boolean;

/**
 * Assigns calls to expected calls, each at most once.
 *
 * @param how - `greedy`: each expected call in turn takes the first call left that fits. `most`: as many expected calls
 *   as possible get one.
 * @returns for each expected call the position of its call; undefined if it has none.
 */
export function assign(counts: CallCounts, fits: Fits, how: "greedy" | "most"): readonly (number | undefined)[] {
  const takers: (number | undefined)[] = Array.from({ length: counts.made }, () => undefined);
  const give = (expected: number, tried: Set<number>): boolean => {
    for (let made = 0; made < counts.made; made++) {
      if (tried.has(made) || !fits(expected, made)) continue;
      const taker = takers[made];
      if (taker !== undefined && how === "greedy") continue;
      tried.add(made);
      // An earlier expected call may move to another call.
      if (taker !== undefined && !give(taker, tried)) continue;
      takers[made] = expected;
      return true;
    }
    return false;
  };
  for (let expected = 0; expected < counts.expected; expected++) give(expected, new Set());
  const assigned: (number | undefined)[] = Array.from({ length: counts.expected }, () => undefined);
  for (const [made, taker] of takers.entries()) if (taker !== undefined) assigned[taker] = made;
  return assigned;
}
