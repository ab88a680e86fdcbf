/** The outcome of one indexing pass. All numbers count files unless stated otherwise. */
export interface IndexReport {
  /** Files that are in the index after the pass. */
  readonly documents: number;
  /** Files that were read and indexed in this pass. */
  readonly indexed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly skipped: {
    readonly binary: number;
    readonly tooLarge: number;
    readonly unreadable: number;
    readonly empty: number;
    /** Files skipped because of their extension. */
    readonly unsupported: number;
    readonly linksAndSpecial: number;
    /** Files that were left out because the index had reached its maximum number of files or bytes. */
    readonly pastLimits: number;
  };
  /** Folders that could not be read. Their documents stay in the index unchanged. */
  readonly unreadableFolders: number;
  readonly durationMs: number;
}
