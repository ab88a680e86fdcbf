/** A unit that the library lacks or has inexactly: names, factor and base. */
export interface OwnUnit {
  /** Case-sensitive; several names for one unit. */
  readonly names: readonly string[];
  /** A decimal literal, or two with a slash between them. */
  readonly amount: string;
  /** An expression in other units. */
  readonly of: string;
  /** Its symbols take SI prefixes. */
  readonly hasPrefixes?: boolean;
  /** The factor is a measured value, so no result based on it is exact. */
  readonly isMeasured?: boolean;
  readonly note?: string;
}
