import { cutDigits, settle, toInteger } from "./arithmetic.ts";
import { type Decimal, DOUBLE, magnitude, parseDecimal, signOf, toNumber } from "./decimal.ts";

/**
 * Number of digits after the point that are kept for a large value with a fraction: 123456789012345678.25 stays
 * unchanged.
 */
const FRACTION_DIGITS = 2;
/** Values with more zeros than this right after the point are written with an exponent. */
const MAX_PLAIN_ZEROS = 6;

/**
 * Formats a value: whole numbers with all their digits, others with 15 significant digits.
 *
 * @returns a number, or a string of digits if a JSON number would lose some of them (2^64).
 */
export function toAnswer(value: Decimal): number | string {
  const shown = shownDigits(value);
  const nearest = toNumber(shown);
  return isSame(nearest, shown) ? nearest : toPlainText(shown);
}

/** Formats a value with all its digits, for code that must not lose any. */
export function toExactText(value: Decimal): string {
  return signOf(value) === 0 ? "0" : toPlainText(value);
}

function shownDigits(value: Decimal): Decimal {
  const settled = settle(value);
  if (value.precision !== DOUBLE && toInteger(settled) !== undefined) return settled;
  return cutDigits(settled, Math.min(value.precision, Math.max(DOUBLE, magnitude(settled) + FRACTION_DIGITS)));
}

function isSame(double: number, decimal: Decimal): boolean {
  const { coefficient, exponent } = parseDecimal(String(Math.abs(double)));
  const size = decimal.coefficient < 0n ? -decimal.coefficient : decimal.coefficient;
  const shift = decimal.exponent - exponent;
  return shift >= 0 ? size * 10n ** BigInt(shift) === coefficient : size === coefficient * 10n ** BigInt(-shift);
}

function toPlainText(value: Decimal): string {
  const sign = signOf(value) < 0 ? "-" : "";
  const digits = String(value.coefficient).replace("-", "").replace(/0+$/, "");
  const order = magnitude(value);
  if (order > 100 || order < -MAX_PLAIN_ZEROS) {
    const fraction = digits.slice(1);
    return `${sign}${digits.slice(0, 1)}${fraction === "" ? "" : `.${fraction}`}e${order - 1}`;
  }
  if (order <= 0) return `${sign}0.${"0".repeat(-order)}${digits}`;
  const whole = digits.slice(0, order).padEnd(order, "0");
  const fraction = digits.slice(order);
  return `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
