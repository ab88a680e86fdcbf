/** The outcome of one indexing pass. Numbers count files. */
export interface IndexReport {
  /** Currently in the index. */
  readonly documents: number;
  /** Read and indexed in this pass. */
  readonly indexed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly skipped: {
    readonly binary: number;
    readonly tooLarge: number;
    readonly unreadable: number;
    readonly empty: number;
    /** Skipped because of the extension. */
    readonly unsupported: number;
    readonly linksAndSpecial: number;
    /** Over the maximum number of files or bytes of the index. */
    readonly pastLimits: number;
  };
  /** Folders that could not be read: their documents stay unchanged in the index. */
  readonly unreadableFolders: number;
  readonly durationMs: number;
}
