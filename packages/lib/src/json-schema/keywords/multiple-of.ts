interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/**
 * Checks whether a number is a multiple of another one, by their decimal representations. 0.0075 is a multiple of
 * 0.0001, although the division of the doubles has a remainder.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (divisor === 0 || !Number.isFinite(value)) return false;
  const [left, right] = [toDecimal(value), toDecimal(divisor)];
  const exponent = Math.min(left.exponent, right.exponent);
  const [dividend, by] = [left, right].map(({ digits, exponent: own }) => Number(digits) * 10 ** (own - exponent));
  if (Number.isSafeInteger(dividend) && Number.isSafeInteger(by)) return Number(dividend) % Number(by) === 0;
  const scaled = ({ digits, exponent: own }: Decimal) => BigInt(digits) * 10n ** BigInt(own - exponent);
  return scaled(left) % scaled(right) === 0n;
}

/** Returns the shortest decimal representation of a double, which is probably what was written. */
function toDecimal(value: number): Decimal {
  const [mantissa = "0", power = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: whole + fraction, exponent: Number(power) - fraction.length };
}
