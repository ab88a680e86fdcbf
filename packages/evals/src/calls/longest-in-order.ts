import type { CallCounts, Fits } from "./assign.ts";

/** Returns the greatest number of expected calls that were made in their order, with or without others between them. */
export function longestInOrder({ expected, made }: CallCounts, fits: Fits): number {
  let row: number[] = Array.from({ length: made + 1 }, () => 0);
  for (let wanted = 0; wanted < expected; wanted++) {
    const next = [0];
    for (let call = 0; call < made; call++) {
      const before = row[call] ?? 0;
      const best = Math.max(row[call + 1] ?? 0, next[call] ?? 0);
      next.push(fits(wanted, call) ? Math.max(best, before + 1) : best);
    }
    row = next;
  }
  return row[made] ?? 0;
}
