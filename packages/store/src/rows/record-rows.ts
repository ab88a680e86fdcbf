/** What an execution's record begins with, as it is stored. */
export interface StoredSubject {
  readonly executionId: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  readonly startedByKeyId: string | null;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** JSON. */
  readonly request: string;
}

/** One append, as it is stored: nothing of it was parsed. */
export interface StoredAppend {
  /** The number of its last entry. */
  readonly lastSeq: number;
  /** JSON. */
  readonly entries: string;
  /** What chains and seals it; null where it was appended without. */
  readonly link: string | null;
}

/** Where a record stands. */
export interface RecordPosition {
  readonly subject: StoredSubject;
  /** Of the last append; null where there is none. */
  readonly last: { readonly lastSeq: number; readonly link: string | null } | null;
}

/** Reads records as they are stored, for those who chain them and look whether somebody changed them. */
export interface RecordStore {
  position(executionId: string): Promise<RecordPosition | undefined>;
  /** In the order of their numbers. */
  appends(executionId: string): Promise<readonly StoredAppend[]>;
}
