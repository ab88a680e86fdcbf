import type { Value } from "./value.ts";

/** A function that an expression may call. */
export interface CalculatorFunction {
  /** How many arguments it takes; their number is checked before. */
  readonly arity: { readonly min: number; readonly max: number };
  /** What a call costs in steps; as many as the arguments have list items by default. Asked before `apply`. */
  readonly cost?: (values: readonly Value[]) => number;
  /** @throws CalculatorError `DOMAIN`, `OVERFLOW`, `DIVISION_BY_ZERO`, `TYPE`. */
  readonly apply: (values: readonly Value[]) => Value;
}
