import { add, compare, divide, multiply, settle, squareRoot, subtract } from "./arithmetic.ts";
import { CalculatorError } from "./calculator-error.ts";
import { type Decimal, EXACT, fromDouble, fromInteger, powerOfTen, signOf, toDecimal, toNumber } from "./decimal.ts";

const ZERO = fromInteger(0n);

/**
 * Whether a list is a sample or a complete population. The variance of a sample divides by n - 1, that of a population
 * by n.
 */
export type Population = "sample" | "population";

/** Adds up a list; the sum of an empty list is 0. */
export function sumOf(items: readonly Decimal[]): Decimal {
  if (!items.every(isExact)) return items.reduce(add, ZERO);
  const { coefficients, exponent } = onOneScale(items);
  return toDecimal(total(coefficients), exponent, EXACT);
}

/** Returns the arithmetic mean. @throws CalculatorError `DOMAIN` for an empty list. */
export function meanOf(items: readonly Decimal[]): Decimal {
  return divide(sumOf(items), countOf(items, "mean", 1));
}

/** Returns the values in ascending order. */
export function sorted(items: readonly Decimal[]): readonly Decimal[] {
  return onOneScale(items.map(settle))
    .coefficients.map((key, index) => ({ key, index }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.index - b.index))
    .map(({ index }) => items[index] ?? ZERO);
}

/**
 * Returns the value below which a share of the list lies, interpolated linearly between neighbours (type 7 of Hyndman
 * and Fan, as in R, NumPy and PERCENTILE.INC).
 *
 * @param share - 0 to 1.
 * @throws CalculatorError `DOMAIN` for an empty list or another share.
 */
export function quantileOf(items: readonly Decimal[], share: Decimal): Decimal {
  countOf(items, "a quantile", 1);
  if (signOf(share) < 0 || compare(share, fromInteger(1n)) > 0) {
    throw new CalculatorError("DOMAIN", "a quantile needs a share from 0 to 1; percentile(list, p) takes 0 to 100");
  }
  const ordered = sorted(items);
  const place = multiply(share, fromInteger(BigInt(ordered.length - 1)));
  const below = Math.min(ordered.length - 1, Math.floor(toNumber(place)));
  const [low = ZERO, high = low] = ordered.slice(below, below + 2);
  return add(low, multiply(subtract(high, low), subtract(place, fromInteger(BigInt(below)))));
}

/**
 * Returns the middle value, or the mean of the two middle values. @throws CalculatorError `DOMAIN` for an empty list.
 */
export function medianOf(items: readonly Decimal[]): Decimal {
  return quantileOf(items, divide(fromInteger(1n), fromInteger(2n)));
}

/** Returns the most frequent values in ascending order. @throws CalculatorError `DOMAIN` if no value occurs twice. */
export function modesOf(items: readonly Decimal[]): readonly Decimal[] {
  countOf(items, "mode", 1);
  const counts: { readonly item: Decimal; count: number }[] = [];
  for (const item of sorted(items)) {
    const last = counts.at(-1);
    if (last !== undefined && compare(last.item, item) === 0) last.count += 1;
    else counts.push({ item, count: 1 });
  }
  const most = counts.reduce((highest, { count }) => Math.max(highest, count), 0);
  if (most === 1 && items.length > 1) throw new CalculatorError("DOMAIN", "no value occurs twice, so there is no mode");
  return counts.filter(({ count }) => count === most).map(({ item }) => item);
}

/** Returns the variance. @throws CalculatorError `DOMAIN` for an empty list, or for a sample of one value. */
export function varianceOf(items: readonly Decimal[], population: Population): Decimal {
  return covarianceOf(items, items, population);
}

/** Returns the standard deviation. @throws CalculatorError `DOMAIN` for the same lists as {@link varianceOf}. */
export function deviationOf(items: readonly Decimal[], population: Population): Decimal {
  return squareRoot(varianceOf(items, population));
}

/**
 * Returns the covariance of pairs. @throws CalculatorError `DOMAIN` for lists that are too short or differ in length.
 */
export function covarianceOf(xs: readonly Decimal[], ys: readonly Decimal[], population: Population): Decimal {
  const count = countOf(xs, population === "sample" ? "a sample" : "a population", population === "sample" ? 2 : 1);
  const divisor = population === "sample" ? subtract(count, fromInteger(1n)) : count;
  return divide(coMoment(xs, ys), multiply(count, divisor));
}

/**
 * Returns Pearson's correlation coefficient, -1 to 1. @throws CalculatorError `DOMAIN` if all values of a list are
 * equal.
 */
export function correlationOf(xs: readonly Decimal[], ys: readonly Decimal[]): Decimal {
  countOf(xs, "correlation", 2);
  const [xx, yy] = [coMoment(xs, xs), coMoment(ys, ys)];
  if (signOf(xx) <= 0 || signOf(yy) <= 0) {
    throw new CalculatorError("DOMAIN", "a correlation needs lists whose values are not all the same");
  }
  return divide(coMoment(xs, ys), squareRoot(multiply(xx, yy)));
}

/** Returns the least-squares line through points. @throws CalculatorError `DOMAIN` if all x values are equal. */
export function lineThrough(
  xs: readonly Decimal[],
  ys: readonly Decimal[],
): { readonly slope: Decimal; readonly intercept: Decimal } {
  countOf(xs, "a line", 2);
  const xx = coMoment(xs, xs);
  if (signOf(xx) <= 0) throw new CalculatorError("DOMAIN", "a regression line needs at least two different x values");
  const slope = divide(coMoment(xs, ys), xx);
  return { slope, intercept: subtract(meanOf(ys), multiply(slope, meanOf(xs))) };
}

/**
 * Returns the geometric mean, calculated as exp of the mean logarithm because a product of thousands of values would
 * overflow.
 *
 * @throws CalculatorError `DOMAIN` for an empty list or a negative value.
 */
export function geometricMeanOf(items: readonly Decimal[]): Decimal {
  countOf(items, "a geometric mean", 1);
  if (items.some((item) => signOf(item) < 0)) {
    throw new CalculatorError("DOMAIN", "a geometric mean needs values of at least 0");
  }
  if (items.some((item) => signOf(item) === 0)) return ZERO;
  return fromDouble(Math.exp(items.reduce((sum, item) => sum + Math.log(toNumber(item)), 0) / items.length));
}

/** Returns the reciprocal of the mean reciprocal. @throws CalculatorError `DOMAIN` unless all values are above zero. */
export function harmonicMeanOf(items: readonly Decimal[]): Decimal {
  const count = countOf(items, "a harmonic mean", 1);
  if (items.some((item) => signOf(item) <= 0)) {
    throw new CalculatorError("DOMAIN", "a harmonic mean needs values above zero");
  }
  return divide(count, sumOf(items.map((item) => divide(fromInteger(1n), item))));
}

/** Returns n Σxy - Σx Σy, which is n² times the population covariance. Avoids a division, which would round. */
function coMoment(xs: readonly Decimal[], ys: readonly Decimal[]): Decimal {
  if (xs.length !== ys.length) {
    throw new CalculatorError("DOMAIN", `the lists must have the same length, not ${xs.length} and ${ys.length}`);
  }
  if (xs.every(isExact) && ys.every(isExact)) {
    const [x, y] = [onOneScale(xs), onOneScale(ys)];
    const products = total(x.coefficients.map((one, index) => one * (y.coefficients[index] ?? 0n)));
    const moment = BigInt(xs.length) * products - total(x.coefficients) * total(y.coefficients);
    return toDecimal(moment, x.exponent + y.exponent, EXACT);
  }
  const products = sumOf(xs.map((x, index) => multiply(x, ys[index] ?? ZERO)));
  return subtract(multiply(fromInteger(BigInt(xs.length)), products), multiply(sumOf(xs), sumOf(ys)));
}

/**
 * Scales the values to multiples of a common power of ten. Calculating with 10,000 numbers then takes milliseconds and
 * rounds nothing.
 */
function onOneScale(items: readonly Decimal[]): {
  readonly coefficients: readonly bigint[];
  readonly exponent: number;
} {
  const exponent = items.reduce((lowest, item) => Math.min(lowest, item.exponent), 0);
  return { coefficients: items.map((item) => item.coefficient * powerOfTen(item.exponent - exponent)), exponent };
}

function isExact({ precision }: Decimal): boolean {
  return precision === EXACT;
}

function total(coefficients: readonly bigint[]): bigint {
  return coefficients.reduce((sum, one) => sum + one, 0n);
}

function countOf(items: readonly Decimal[], what: string, least: number): Decimal {
  if (items.length >= least) return fromInteger(BigInt(items.length));
  throw new CalculatorError("DOMAIN", `${what} needs at least ${least} value${least === 1 ? "" : "s"}`);
}
