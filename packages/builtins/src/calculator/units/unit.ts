import { defined } from "@yagate/lib/objects/defined";
import { add, divide, multiply } from "../arithmetic.ts";
import { type Decimal, fromInteger } from "../decimal.ts";

/** The dimension of a unit: the non-zero powers of the base units (m, kg, s, A, K, mol, cd, lm, bit, turn). */
export type Dimensions = Readonly<Record<string, number>>;

/** A unit. Its factor to base units is the fraction `numerator` / `denominator`, so 1/3 stays exact. */
export interface Unit {
  readonly numerator: Decimal;
  readonly denominator: Decimal;
  readonly dimensions: Dimensions;
  /** The offset of a temperature scale, added before the multiplication: 273.15 for degrees Celsius. */
  readonly offset?: Decimal;
  /** Which interpretation was chosen for an ambiguous name. */
  readonly note?: string;
}

const ONE = fromInteger(1n);

/** The dimensionless unit 1. */
export const UNITY: Unit = { numerator: ONE, denominator: ONE, dimensions: {} };

/** Multiplies two units. A temperature unit in a product counts as a difference. */
export function multiplyUnits(a: Unit, b: Unit, sign: 1 | -1 = 1): Unit {
  const [top, bottom] = sign === 1 ? [b.numerator, b.denominator] : [b.denominator, b.numerator];
  const names = new Set([...Object.keys(a.dimensions), ...Object.keys(b.dimensions)]);
  const powers = [...names].map((name): [string, number] => {
    return [name, (a.dimensions[name] ?? 0) + sign * (b.dimensions[name] ?? 0)];
  });
  const note = a.note ?? b.note;
  return {
    numerator: multiply(a.numerator, top),
    denominator: multiply(a.denominator, bottom),
    dimensions: Object.fromEntries(powers.filter(([, power]) => power !== 0)),
    ...defined({ note }),
  };
}

/** Raises a unit to a whole power. */
export function powerOfUnit(unit: Unit, power: number): Unit {
  let result = UNITY;
  for (let count = 0; count < Math.abs(power); count++) result = multiplyUnits(result, unit, power < 0 ? -1 : 1);
  return result;
}

/** Returns whether two units measure the same quantity. */
export function isSameDimension(a: Dimensions, b: Dimensions): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

/** Converts a value to base units. */
export function toBase(value: Decimal, { numerator, denominator, offset }: Unit): Decimal {
  const shifted = offset === undefined ? value : add(value, offset);
  return divide(multiply(shifted, numerator), denominator);
}
