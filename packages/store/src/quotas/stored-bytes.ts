/** A workspace and what its rows take. */
export interface StoredBytesRecord {
  readonly workspace_id: string;
  readonly bytes: number;
}

/** What was counted wrong, by a version that did not count, never makes a total less than nothing. */
export function toTotals(records: readonly StoredBytesRecord[]): ReadonlyMap<string, number> {
  return new Map(records.map(({ workspace_id, bytes }) => [workspace_id, Math.max(0, bytes)]));
}
