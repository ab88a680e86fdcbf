/** Limits of an index. */
export interface IndexLimits {
  /** Maximum size of a file; default 10 MB. */
  readonly maxFileBytes: number;
  /** Maximum number of files; default 100,000. */
  readonly maxFiles: number;
  /** Maximum total size of all files; default 2 GB. */
  readonly maxTotalBytes: number;
}

export const DEFAULT_INDEX_LIMITS: IndexLimits = {
  maxFileBytes: 10_000_000,
  maxFiles: 100_000,
  maxTotalBytes: 2_000_000_000,
};
