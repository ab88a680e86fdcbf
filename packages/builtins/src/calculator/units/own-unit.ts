/** A unit that the library has not, or not exactly: names, how many, and of what. */
export interface OwnUnit {
  /** In their case; several names for one unit. */
  readonly names: readonly string[];
  /** A decimal literal, or two with a stroke between. */
  readonly amount: string;
  /** An expression of other units. */
  readonly of: string;
  /** Its symbols take the prefixes of the SI. */
  readonly hasPrefixes?: boolean;
  /** The figure is a measurement: nothing that is calculated with it is exact. */
  readonly isMeasured?: boolean;
  readonly note?: string;
}
