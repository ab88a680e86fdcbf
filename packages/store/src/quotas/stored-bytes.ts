/** What the rows of workspaces take. */
export interface StoredBytesStore {
  /**
   * Adds to the totals what came since, and what went; one bounded piece of work, which a commit holds as a whole.
   * @returns whether everything that was stored before is in the totals now.
   */
  advance(): Promise<boolean>;
  /** Bytes by workspace, as of the last {@link StoredBytesStore.advance} of any process. */
  totals(): Promise<ReadonlyMap<string, number>>;
}

/** A workspace and what its rows take. */
export interface StoredBytesRecord {
  readonly workspace_id: string;
  readonly bytes: number;
}

/** What was counted wrong, by a version that did not count, never makes a total less than nothing. */
export function toTotals(records: readonly StoredBytesRecord[]): ReadonlyMap<string, number> {
  return new Map(records.map(({ workspace_id, bytes }) => [workspace_id, Math.max(0, bytes)]));
}
