import type { Value } from "./value.ts";

/** A function that an expression may call. */
export interface CalculatorFunction {
  /** The allowed number of arguments, which is checked before each call. */
  readonly arity: { readonly min: number; readonly max: number };
  /**
   * Returns the number of steps that a call costs; default: the number of list items in its arguments. Called before
   * `apply`.
   */
  readonly cost?: (values: readonly Value[]) => number;
  /** Calculates the result. @throws CalculatorError `DOMAIN`, `OVERFLOW`, `DIVISION_BY_ZERO`, `TYPE`. */
  readonly apply: (values: readonly Value[]) => Value;
}
