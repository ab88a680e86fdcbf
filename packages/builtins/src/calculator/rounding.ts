import { settle } from "./arithmetic.ts";
import { CalculatorError } from "./calculator-error.ts";
import { type Decimal, powerOfTen, toDecimal } from "./decimal.ts";

/** The rounding modes. The `half_*` modes differ only for exact halves. */
export const ROUNDING_MODES = ["half_up", "half_even", "half_down", "up", "down", "ceiling", "floor"] as const;
export type RoundingMode = (typeof ROUNDING_MODES)[number];

/** Returns, for each mode, whether the magnitude is rounded up. `isOdd`: whether the last digit that is kept is odd. */
const GROWS: Readonly<Record<RoundingMode, (half: number, isNegative: boolean, isOdd: boolean) => boolean>> = {
  half_up: (half) => half >= 0,
  half_even: (half, _isNegative, isOdd) => half > 0 || (half === 0 && isOdd),
  half_down: (half) => half > 0,
  up: () => true,
  down: () => false,
  ceiling: (_half, isNegative) => !isNegative,
  floor: (_half, isNegative) => isNegative,
};

/**
 * Rounds to a number of places after the point, or before it if `places` is negative.
 *
 * @param mode - `half_up` and `up` round away from zero, `half_down` and `down` towards it.
 */
export function roundWith(value: Decimal, places: number, mode: RoundingMode): Decimal {
  const settled = settle(value);
  const excess = -settled.exponent - places;
  if (excess <= 0) return settled;
  const unit = powerOfTen(excess);
  const isNegative = settled.coefficient < 0n;
  const size = isNegative ? -settled.coefficient : settled.coefficient;
  const [kept, rest] = [size / unit, size % unit];
  const twice = rest * 2n;
  const half = twice > unit ? 1 : twice === unit ? 0 : -1;
  const grown = rest !== 0n && GROWS[mode](half, isNegative, kept % 2n === 1n) ? kept + 1n : kept;
  return toDecimal(isNegative ? -grown : grown, -places, settled.precision);
}

/** Reads the name of a rounding mode. @throws CalculatorError `DOMAIN` for an unknown name. */
export function parseRoundingMode(name: string): RoundingMode {
  const mode = ROUNDING_MODES.find((one) => one === name.trim().toLowerCase().replaceAll("-", "_"));
  if (mode !== undefined) return mode;
  throw new CalculatorError("DOMAIN", `expected a rounding mode, one of ${ROUNDING_MODES.join(", ")}`);
}
