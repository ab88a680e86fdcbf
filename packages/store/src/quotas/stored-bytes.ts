/** The stored bytes of workspaces. */
export interface StoredBytesStore {
  /**
   * Runs one bounded step, in one commit, that adds new rows to the totals and subtracts deleted rows.
   * @returns whether the totals now include everything that was stored before the call.
   */
  advance(): Promise<boolean>;
  /** Bytes by workspace, as of the last {@link StoredBytesStore.advance} in any process. */
  totals(): Promise<ReadonlyMap<string, number>>;
}

/** The bytes of a workspace. */
export interface StoredBytesRecord {
  readonly workspace_id: string;
  readonly bytes: number;
}

/**
 * Converts records to totals, with negative values as 0: an older version, which does not update the totals, may have
 * changed counted rows.
 */
export function toTotals(records: readonly StoredBytesRecord[]): ReadonlyMap<string, number> {
  return new Map(records.map(({ workspace_id, bytes }) => [workspace_id, Math.max(0, bytes)]));
}
