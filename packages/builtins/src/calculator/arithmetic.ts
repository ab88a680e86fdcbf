import { CalculatorError } from "./calculator-error.ts";
import {
  countDigits,
  type Decimal,
  divideRounded,
  EXACT,
  fromDouble,
  fromInteger,
  KEPT_DIGITS,
  powerOfTen,
  ROUNDED,
  signOf,
  toDecimal,
  toNumber,
} from "./decimal.ts";

const ONE = fromInteger(1n);

/**
 * Adds two values. If nearly equal values cancel each other out, a remainder smaller than their reliable digits is
 * noise and becomes zero.
 */
export function add(a: Decimal, b: Decimal): Decimal {
  const { first, second, exponent } = align(a, b);
  const sum = first + second;
  const precision = Math.min(a.precision, b.precision);
  if (precision !== EXACT) {
    const larger = absolute(first) > absolute(second) ? absolute(first) : absolute(second);
    if (absolute(sum) * powerOfTen(precision) < larger) return toDecimal(0n, 0, precision);
  }
  return toDecimal(sum, exponent, precision);
}

/** Subtracts `b` from `a`, with the same treatment of noise as {@link add}. */
export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, negate(b));
}

export function negate(a: Decimal): Decimal {
  return { ...a, coefficient: -a.coefficient };
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return toDecimal(a.coefficient * b.coefficient, a.exponent + b.exponent, Math.min(a.precision, b.precision));
}

/** Divides `a` by `b`. @throws CalculatorError `DIVISION_BY_ZERO`. */
export function divide(a: Decimal, b: Decimal): Decimal {
  if (signOf(b) === 0) throw divisionByZero();
  const shift = Math.max(0, KEPT_DIGITS + 1 + countDigits(b.coefficient) - countDigits(a.coefficient));
  const dividend = a.coefficient * powerOfTen(shift);
  const quotient = dividend / b.coefficient;
  const isWhole = quotient * b.coefficient === dividend;
  const precision = Math.min(a.precision, b.precision, isWhole ? EXACT : ROUNDED);
  return toDecimal(quotient, a.exponent - b.exponent - shift, precision);
}

/**
 * Returns the remainder of `a` divided by `b`, with the sign of `a`.
 *
 * @throws CalculatorError `DIVISION_BY_ZERO`.
 */
export function remainder(a: Decimal, b: Decimal): Decimal {
  const { first, second, exponent } = align(settle(a), settle(b));
  if (second === 0n) throw divisionByZero();
  return toDecimal(first % second, exponent, Math.min(a.precision, b.precision));
}

/**
 * Raises `base` to the power of `exponent`. The result is exact for whole exponents; 0^0 is 1.
 *
 * @throws CalculatorError `DIVISION_BY_ZERO`, `DOMAIN`, `OVERFLOW`.
 */
export function power(base: Decimal, exponent: Decimal): Decimal {
  if (signOf(base) === 0 && signOf(exponent) < 0) throw divisionByZero();
  const whole = toInteger(exponent);
  if (whole !== undefined) return wholePower(whole < 0n ? divide(ONE, base) : base, absolute(whole));
  if (signOf(base) < 0) {
    throw new CalculatorError("DOMAIN", "a negative number needs a whole exponent; for a cube root, write cbrt(x)");
  }
  return fromDouble(toNumber(base) ** toNumber(exponent));
}

function wholePower(base: Decimal, exponent: bigint): Decimal {
  let result = ONE;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = multiply(result, square);
    if (rest > 1n) square = multiply(square, square);
  }
  return result;
}

/** Returns the square root. @throws CalculatorError `DOMAIN` for a negative value. */
export function squareRoot(a: Decimal): Decimal {
  if (signOf(a) < 0) throw new CalculatorError("DOMAIN", "sqrt needs a number of at least 0");
  if (signOf(a) === 0) return a;
  let shift = Math.max(0, 2 * KEPT_DIGITS - countDigits(a.coefficient));
  if ((a.exponent - shift) % 2 !== 0) shift += 1;
  const radicand = a.coefficient * powerOfTen(shift);
  const exponent = a.exponent - shift;
  const root = integerRoot(radicand);
  return toDecimal(root, exponent / 2, Math.min(a.precision, root * root === radicand ? EXACT : ROUNDED));
}

function integerRoot(value: bigint): bigint {
  let root = powerOfTen(Math.ceil(countDigits(value) / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Compares two values by their reliable digits. Returns -1, 0 or 1. */
export function compare(a: Decimal, b: Decimal): number {
  return signOf(subtract(a, b));
}

/** Returns the largest whole number that is not greater than the value. */
export function floor(a: Decimal): Decimal {
  const settled = settle(a);
  if (settled.exponent >= 0) return settled;
  const unit = powerOfTen(-settled.exponent);
  const truncated = settled.coefficient / unit;
  const isBelow = settled.coefficient < 0n && truncated * unit !== settled.coefficient;
  return toDecimal(isBelow ? truncated - 1n : truncated, 0, settled.precision);
}

/** Returns the whole number that a value equals in its reliable digits, or `undefined` if it has a fraction. */
export function toInteger(a: Decimal): bigint | undefined {
  const { coefficient, exponent } = settle(a);
  if (exponent >= 0) return coefficient * powerOfTen(exponent);
  const unit = powerOfTen(-exponent);
  return coefficient % unit === 0n ? coefficient / unit : undefined;
}

/** Removes the unreliable digits of a value. Every decision that depends on a value uses this form. */
export function settle(a: Decimal): Decimal {
  return cutDigits(a, Math.min(a.precision, KEPT_DIGITS));
}

/** Rounds a value to at most this many digits. */
export function cutDigits(a: Decimal, digits: number): Decimal {
  const excess = countDigits(a.coefficient) - digits;
  if (excess <= 0 || a.coefficient === 0n) return a;
  return toDecimal(divideRounded(a.coefficient, powerOfTen(excess)), a.exponent + excess, a.precision);
}

function align(a: Decimal, b: Decimal): { first: bigint; second: bigint; exponent: number } {
  const exponent = Math.min(a.exponent, b.exponent);
  return {
    first: a.coefficient * powerOfTen(a.exponent - exponent),
    second: b.coefficient * powerOfTen(b.exponent - exponent),
    exponent,
  };
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function divisionByZero(): CalculatorError {
  return new CalculatorError("DIVISION_BY_ZERO", "the divisor is zero");
}
