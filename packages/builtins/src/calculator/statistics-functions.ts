import { compare, divide, multiply, subtract } from "./arithmetic.ts";
import { CalculatorError } from "./calculator-error.ts";
import type { CalculatorFunction } from "./calculator-function.ts";
import { type Decimal, fromInteger, signOf } from "./decimal.ts";
import { toAnswer } from "./format-decimal.ts";
import {
  correlationOf,
  covarianceOf,
  deviationOf,
  geometricMeanOf,
  harmonicMeanOf,
  lineThrough,
  meanOf,
  medianOf,
  modesOf,
  quantileOf,
  sorted,
  sumOf,
  varianceOf,
} from "./statistics.ts";
import { numberOf, numbersOf, toCount, toValue, type Value } from "./value.ts";

const ONE = fromInteger(1n);
const HUNDRED = fromInteger(100n);
const ANY = { min: 1, max: Number.POSITIVE_INFINITY };
const TWO = { min: 2, max: 2 };

/** Functions for lists. A list is written as [1, 2, 3], as `values`, or as separate arguments. */
export const STATISTICS_FUNCTIONS: ReadonlyMap<string, CalculatorFunction> = new Map([
  ["min", ofList("min", (items) => least("min", items, -1))],
  ["max", ofList("max", (items) => least("max", items, 1))],
  ["range", ofList("range", (items) => subtract(least("range", items, 1), least("range", items, -1)))],
  ["sum", ofList("sum", sumOf)],
  ["product", ofList("product", (items) => items.reduce(multiply, ONE))],
  ["count", { arity: ANY, apply: (values) => toCount(numbersOf(values, "count").length) }],
  ["mean", ofList("mean", meanOf)],
  ["median", ofList("median", medianOf)],
  ["mode", { arity: ANY, apply: (values) => oneOrMore(modesOf(numbersOf(values, "mode"))) }],
  ["variance", ofList("variance", (items) => varianceOf(items, "sample"))],
  ["pvariance", ofList("pvariance", (items) => varianceOf(items, "population"))],
  ["stdev", ofList("stdev", (items) => deviationOf(items, "sample"))],
  ["pstdev", ofList("pstdev", (items) => deviationOf(items, "population"))],
  ["geomean", ofList("geomean", geometricMeanOf)],
  ["harmean", ofList("harmean", harmonicMeanOf)],
  ["quantile", ofListAnd("quantile", quantileOf)],
  ["percentile", ofListAnd("percentile", (items, rank) => quantileOf(items, divide(rankOf(rank), HUNDRED)))],
  ["quartiles", { arity: ANY, apply: (values) => quartiles(numbersOf(values, "quartiles")) }],
  ["sort", { arity: ANY, apply: (values) => ({ kind: "list", items: sorted(numbersOf(values, "sort")) }) }],
  ["correlation", ofPairs("correlation", correlationOf)],
  ["covariance", ofPairs("covariance", (xs, ys) => covarianceOf(xs, ys, "sample"))],
  ["linear_regression", { arity: TWO, apply: (values) => regression(values) }],
]);

function ofList(name: string, apply: (items: readonly Decimal[]) => Decimal): CalculatorFunction {
  return { arity: ANY, apply: (values) => toValue(apply(numbersOf(values, name))) };
}

function ofListAnd(
  name: string,
  apply: (items: readonly Decimal[], parameter: Decimal) => Decimal,
): CalculatorFunction {
  return {
    arity: TWO,
    apply: ([list, parameter]) => toValue(apply(listOf(list, name), numberOf(parameter, name))),
  };
}

function ofPairs(name: string, apply: (xs: readonly Decimal[], ys: readonly Decimal[]) => Decimal): CalculatorFunction {
  return { arity: TWO, apply: ([xs, ys]) => toValue(apply(listOf(xs, name), listOf(ys, name))) };
}

function listOf(value: Value | undefined, name: string): readonly Decimal[] {
  if (value?.kind === "list") return value.items;
  throw new CalculatorError(
    "TYPE",
    `${name} needs a list: write ${name}([1, 2, 3], …), or values for the list that was passed with the expression`,
  );
}

function least(name: string, items: readonly Decimal[], sign: 1 | -1): Decimal {
  const [first, ...others] = items;
  if (first === undefined) throw new CalculatorError("DOMAIN", `${name} needs at least 1 value`);
  return others.reduce((a, b) => (compare(b, a) * sign > 0 ? b : a), first);
}

function oneOrMore(items: readonly Decimal[]): Value {
  const [first, ...others] = items;
  return first !== undefined && others.length === 0 ? toValue(first) : { kind: "list", items };
}

/**
 * Reads the rank of a percentile. A rank of 95% would be 0.95: below the first percentile and never intended. It is
 * therefore an error.
 */
function rankOf(rank: Decimal): Decimal {
  if (signOf(rank) >= 0 && compare(rank, HUNDRED) <= 0 && (signOf(rank) === 0 || compare(rank, ONE) >= 0)) return rank;
  const isShare = signOf(rank) > 0 && compare(rank, ONE) < 0;
  const hint = isShare ? `; for a share of 1 write quantile(values, ${toAnswer(rank)})` : "";
  throw new CalculatorError(
    "DOMAIN",
    `percentile needs 0, or a rank from 1 to 100, as in percentile(values, 95), without %${hint}`,
  );
}

function quartiles(items: readonly Decimal[]): Value {
  const quarter = (count: bigint) => quantileOf(items, divide(fromInteger(count), fromInteger(4n)));
  return { kind: "list", items: [quarter(1n), quarter(2n), quarter(3n)] };
}

function regression([first, second]: readonly Value[]): Value {
  const [xs, ys] = [listOf(first, "linear_regression"), listOf(second, "linear_regression")];
  const { slope, intercept } = lineThrough(xs, ys);
  const varies = ys.some((y) => compare(y, ys[0] ?? y) !== 0);
  const correlation = varies ? correlationOf(xs, ys) : undefined;
  const fit = correlation === undefined ? {} : { correlation, rSquared: multiply(correlation, correlation) };
  return { kind: "record", number: slope, fields: { slope, intercept, ...fit } };
}
