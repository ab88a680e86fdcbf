import type { Execution } from "@yagate/protocol";

export interface FreshRows {
  /** The rows that are shown: those that were there when the reader looked, in their present state. */
  readonly rows: readonly Execution[];
  /** How many newer ones there are. */
  readonly freshCount: number;
}

/**
 * Keeps new rows from moving what is being read.
 *
 * @param latest - the newest rows, newest first.
 * @param shownFrom - the id of the first row that the reader has seen; undefined if all are shown. Ids are ordered by
 *   time.
 */
export function holdFresh(latest: readonly Execution[], shownFrom: string | undefined, limit: number): FreshRows {
  if (shownFrom === undefined) return { rows: latest.slice(0, limit), freshCount: 0 };
  const freshCount = latest.filter(({ id }) => id > shownFrom).length;
  return { rows: latest.slice(freshCount, freshCount + limit), freshCount };
}
