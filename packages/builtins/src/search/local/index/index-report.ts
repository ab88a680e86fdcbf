/** What one pass over the folder found and did. Numbers of files. */
export interface IndexReport {
  /** In the index now. */
  readonly documents: number;
  /** Read and put into the index in this pass. */
  readonly indexed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly skipped: {
    readonly binary: number;
    readonly tooLarge: number;
    readonly unreadable: number;
    readonly empty: number;
    /** No document by its ending. */
    readonly unsupported: number;
    readonly linksAndSpecial: number;
    /** Past the most files or bytes that the index may hold. */
    readonly pastLimits: number;
  };
  /** Folders that could not be read: their documents stay as they were. */
  readonly unreadableFolders: number;
  readonly durationMs: number;
}
