/** A unit that the library lacks or defines inexactly: its names, factor and base. */
export interface OwnUnit {
  /** The names of the unit, case-sensitive. */
  readonly names: readonly string[];
  /** The factor: a decimal literal, or two separated by a slash. */
  readonly amount: string;
  /** The unit that the factor multiplies: an expression in other units. */
  readonly of: string;
  /** Whether symbols of the unit take SI prefixes. */
  readonly hasPrefixes?: boolean;
  /** Whether the factor is a measured value. Results based on it are then never exact. */
  readonly isMeasured?: boolean;
  readonly note?: string;
}
