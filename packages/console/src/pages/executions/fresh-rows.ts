import type { Execution } from "@yagate/protocol";

export interface FreshRows {
  /** The rows that are shown: those that were there when the reader looked, in their present state. */
  readonly rows: readonly Execution[];
  /** How many newer ones the latest page has. */
  readonly freshCount: number;
}

/**
 * Keeps new rows from moving what is being read.
 *
 * @param shown - the rows that the reader has seen, newest first.
 * @param latest - the newest rows, newest first. Ids are ordered by time.
 */
export function holdFresh(shown: readonly Execution[], latest: readonly Execution[]): FreshRows {
  const newest = shown[0]?.id;
  if (newest === undefined) return { rows: latest, freshCount: 0 };
  const present = new Map(latest.map((execution) => [execution.id, execution]));
  return {
    rows: shown.map((execution) => present.get(execution.id) ?? execution),
    freshCount: latest.filter(({ id }) => id > newest).length,
  };
}
