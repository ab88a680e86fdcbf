import { CalculatorError } from "./calculator-error.ts";

/**
 * The value `coefficient` × 10^`exponent`. Because it is decimal, 0.1 + 0.2 is 0.3 and whole numbers keep all their
 * digits. Its range is that of a double.
 */
export interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
  /**
   * Number of reliable leading digits: {@link EXACT}, {@link ROUNDED} after a division, {@link DOUBLE} after a function
   * of `Math`.
   */
  readonly precision: number;
}

export const EXACT = Number.POSITIVE_INFINITY;
/**
 * Reliable digits after a division: ten fewer than are stored, so the errors that add up in a long calculation stay
 * within the unreliable digits.
 */
export const ROUNDED = 90;
/** Reliable digits of a double: every decimal number of 15 digits maps to a different double. */
export const DOUBLE = 15;

/** Maximum number of digits in a coefficient. */
export const KEPT_DIGITS = 100;
/** Doubles are below 10^309, and values below about 10^-323 round to zero. */
const MAX_MAGNITUDE = 309;
const MIN_MAGNITUDE = -322;

/** Powers of ten up to this exponent are computed once. Only literals with thousands of digits need larger ones. */
const MAX_CACHED_POWER = 800;
const powersOfTen: (bigint | undefined)[] = [];

/** Returns 10^n for a whole n ≥ 0. */
export function powerOfTen(n: number): bigint {
  if (n > MAX_CACHED_POWER) return 10n ** BigInt(n);
  powersOfTen[n] ??= 10n ** BigInt(n);
  return powersOfTen[n];
}

/**
 * Creates a decimal, rounded to 100 digits and within the range of a double. All decimals are created here.
 *
 * @throws CalculatorError `OVERFLOW`.
 */
export function toDecimal(coefficient: bigint, exponent: number, precision: number): Decimal {
  if (coefficient === 0n) return { coefficient, exponent: 0, precision };
  const excess = countDigits(coefficient) - KEPT_DIGITS;
  if (excess > 0) {
    const rounded = divideRounded(coefficient, powerOfTen(excess));
    const isLossless = rounded * powerOfTen(excess) === coefficient;
    return toDecimal(rounded, exponent + excess, isLossless ? precision : Math.min(precision, ROUNDED));
  }
  const decimal = { coefficient, exponent, precision };
  const order = magnitude(decimal);
  if (order > MAX_MAGNITUDE || (order === MAX_MAGNITUDE && !Number.isFinite(toNumber(decimal)))) {
    throw new CalculatorError("OVERFLOW", "the value is too large: at most about 1.8e308");
  }
  if (order <= MIN_MAGNITUDE && toNumber(decimal) === 0) return { coefficient: 0n, exponent: 0, precision: ROUNDED };
  return decimal;
}

/** Converts a whole number to an exact decimal. */
export function fromInteger(value: bigint): Decimal {
  return toDecimal(value, 0, EXACT);
}

/** Reads a decimal literal such as `12`, `.5` or `1.5e-3`. */
export function parseDecimal(literal: string): Decimal {
  const [mantissa = "", power = "0"] = literal.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const coefficient = BigInt(`${whole}${fraction}`);
  // The value is far outside the range of a double, so its exact exponent does not matter.
  const exponent = Math.max(-10_000, Math.min(10_000, Number(power))) - fraction.length;
  return toDecimal(coefficient, exponent, EXACT);
}

/**
 * Converts the result of a `Math` function, with its reliable digits.
 *
 * @throws CalculatorError `DOMAIN` for NaN, `OVERFLOW` for an infinity.
 */
export function fromDouble(value: number): Decimal {
  if (Number.isNaN(value)) throw new CalculatorError("DOMAIN", "the function has no real value for this argument");
  if (!Number.isFinite(value)) throw new CalculatorError("OVERFLOW", "the value is too large: at most about 1.8e308");
  const { coefficient, exponent } = parseDecimal(String(Math.abs(value)));
  return toDecimal(value < 0 ? -coefficient : coefficient, exponent, DOUBLE);
}

/** Returns the nearest double. */
export function toNumber({ coefficient, exponent }: Decimal): number {
  return Number(`${coefficient}e${exponent}`);
}

/** Returns the exponent of the leading digit: 3 for 123.4, 0 for 0.5. */
export function magnitude({ coefficient, exponent }: Decimal): number {
  return countDigits(coefficient) + exponent;
}

/** Returns the sign: -1, 0 or 1. */
export function signOf({ coefficient }: Decimal): number {
  return coefficient === 0n ? 0 : coefficient < 0n ? -1 : 1;
}

/** Counts the decimal digits of a whole number, without its sign. */
export function countDigits(value: bigint): number {
  const size = value < 0n ? -value : value;
  // Estimates the number of digits from the number of bits and then corrects it, because converting to decimal text
  // would take quadratic time.
  let digits = Math.floor((size.toString(16).length - 1) * 4 * Math.log10(2));
  while (size >= powerOfTen(digits)) digits += 1;
  return digits;
}

/** Divides and rounds to the nearest whole number, halves away from zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const half = divisor / 2n;
  return (dividend < 0n ? dividend - half : dividend + half) / divisor;
}
