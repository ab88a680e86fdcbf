import { compare, floor, multiply, negate, power, squareRoot, toInteger } from "./arithmetic.ts";
import { CalculatorError } from "./calculator-error.ts";
import type { CalculatorFunction } from "./calculator-function.ts";
import { type Decimal, EXACT, fromDouble, fromInteger, signOf, toNumber } from "./decimal.ts";
import { parseRoundingMode, roundWith } from "./rounding.ts";
import { sumOf } from "./statistics.ts";
import { numberOf, numbersOf, textOf, toValue, type Value } from "./value.ts";

const ZERO = fromInteger(0n);
const LARGEST_FACTORIAL = 170n;
const MAX_PLACES = 100n;

/** Constants by name. */
export const CONSTANTS: ReadonlyMap<string, Decimal> = new Map([
  ["pi", fromDouble(Math.PI)],
  ["π", fromDouble(Math.PI)],
  ["tau", fromDouble(2 * Math.PI)],
  ["e", fromDouble(Math.E)],
]);

/** A function whose arguments are all numbers. */
interface NumericFunction {
  readonly arity: CalculatorFunction["arity"];
  readonly apply: (values: readonly Decimal[]) => Decimal;
}

/** Functions of numbers, by name. Angles are in radians; `log` is to base 10 by default. */
const NUMERIC: readonly (readonly [string, NumericFunction])[] = [
  ["abs", unary((x) => (signOf(x) < 0 ? negate(x) : x))],
  ["sign", unary((x) => fromInteger(BigInt(signOf(x))))],
  ["floor", unary(floor)],
  ["ceil", unary((x) => negate(floor(negate(x))))],
  ["trunc", unary((x) => (signOf(x) < 0 ? negate(floor(negate(x))) : floor(x)))],
  ["gcd", { arity: atLeastOne(), apply: (values) => fromInteger(values.map(wholeNumber).reduce(greatestDivisor, 0n)) }],
  ["lcm", { arity: atLeastOne(), apply: (values) => values.map(wholeNumber).map(fromInteger).reduce(leastMultiple) }],
  ["factorial", unary(factorial)],
  ["pow", { arity: { min: 2, max: 2 }, apply: ([x = ZERO, y = ZERO]) => power(x, y) }],
  ["sqrt", unary(squareRoot)],
  ["cbrt", viaDouble(Math.cbrt)],
  ["hypot", { arity: atLeastOne(), apply: (values) => squareRoot(sumOf(values.map((x) => multiply(x, x)))) }],
  ["exp", viaDouble(Math.exp)],
  ["ln", unary((x) => fromDouble(Math.log(positive(x))))],
  ["log", { arity: { min: 1, max: 2 }, apply: ([x = ZERO, base]) => logarithm(x, base) }],
  ["log10", unary((x) => fromDouble(Math.log10(positive(x))))],
  ["log2", unary((x) => fromDouble(Math.log2(positive(x))))],
  ["sin", periodic(Math.sin)],
  ["cos", periodic(Math.cos)],
  ["tan", unary(tangent)],
  ["asin", viaDouble(Math.asin)],
  ["acos", viaDouble(Math.acos)],
  ["atan", viaDouble(Math.atan)],
  [
    "atan2",
    { arity: { min: 2, max: 2 }, apply: ([y = ZERO, x = ZERO]) => fromDouble(Math.atan2(toNumber(y), toNumber(x))) },
  ],
  ["sinh", viaDouble(Math.sinh)],
  ["cosh", viaDouble(Math.cosh)],
  ["tanh", viaDouble(Math.tanh)],
  ["degrees", viaDouble((x) => (x * 180) / Math.PI)],
  ["radians", viaDouble((x) => (x * Math.PI) / 180)],
];

/**
 * The functions of numbers, by name, in the form that `evaluate` calls. Functions that take any number of arguments
 * also accept lists, whose items become arguments.
 */
export const NUMBER_FUNCTIONS: ReadonlyMap<string, CalculatorFunction> = new Map([
  ...NUMERIC.map(([name, { arity, apply }]): [string, CalculatorFunction] => {
    const numbers = (values: readonly Value[]) =>
      arity.max === Number.POSITIVE_INFINITY ? numbersOf(values, name) : values.map((value) => numberOf(value, name));
    return [name, { arity, apply: (values) => toValue(apply(atLeast(numbers(values), name))) }];
  }),
  ["round", { arity: { min: 1, max: 3 }, apply: round }],
]);

function atLeast(numbers: readonly Decimal[], name: string): readonly Decimal[] {
  if (numbers.length === 0) throw new CalculatorError("DOMAIN", `${name} needs at least 1 value`);
  return numbers;
}

function round([x, places, mode]: readonly Value[]): Value {
  const digits = places === undefined ? 0 : wholePlaces(numberOf(places, "round"));
  const named = mode === undefined ? "half_up" : parseRoundingMode(textOf(mode, "round", '"half_even"'));
  return toValue(roundWith(numberOf(x, "round"), digits, named));
}

function unary(apply: (x: Decimal) => Decimal): NumericFunction {
  return { arity: { min: 1, max: 1 }, apply: ([x = ZERO]) => apply(x) };
}

function viaDouble(apply: (x: number) => number): NumericFunction {
  return unary((x) => fromDouble(apply(toNumber(x))));
}

function atLeastOne(): NumericFunction["arity"] {
  return { min: 1, max: Number.POSITIVE_INFINITY };
}

/**
 * Creates a function whose result becomes zero if it is smaller than the rounding error of the argument, as in sin(pi).
 */
function periodic(apply: (x: number) => number): NumericFunction {
  return unary((x) => {
    const value = apply(toNumber(x));
    const noise = x.precision === EXACT ? 0 : Math.min(Math.abs(toNumber(x)) * Number.EPSILON, 1e-9);
    return Math.abs(value) < noise ? ZERO : fromDouble(value);
  });
}

function tangent(x: Decimal): Decimal {
  const cosine = periodic(Math.cos).apply([x]);
  if (signOf(cosine) === 0) throw new CalculatorError("DOMAIN", "tan has no value at odd multiples of pi/2");
  return signOf(periodic(Math.sin).apply([x])) === 0 ? ZERO : fromDouble(Math.tan(toNumber(x)));
}

function positive(x: Decimal): number {
  if (signOf(x) <= 0) throw new CalculatorError("DOMAIN", "a logarithm needs a number above zero");
  return toNumber(x);
}

function logarithm(x: Decimal, base: Decimal | undefined): Decimal {
  if (base === undefined) return fromDouble(Math.log10(positive(x)));
  if (compare(base, fromInteger(1n)) === 0) throw new CalculatorError("DOMAIN", "the base of a logarithm can't be 1");
  return fromDouble(Math.log(positive(x)) / Math.log(positive(base)));
}

function factorial(x: Decimal): Decimal {
  const n = toInteger(x);
  if (n === undefined || n < 0n) {
    throw new CalculatorError("DOMAIN", "a factorial needs a whole number of at least 0");
  }
  if (n > LARGEST_FACTORIAL) throw new CalculatorError("OVERFLOW", "a factorial needs a number of at most 170");
  let product = 1n;
  for (let factor = 2n; factor <= n; factor++) product *= factor;
  return fromInteger(product);
}

function wholeNumber(x: Decimal): bigint {
  const whole = toInteger(x);
  if (whole === undefined) throw new CalculatorError("DOMAIN", "gcd and lcm need whole numbers");
  return whole < 0n ? -whole : whole;
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

function leastMultiple(a: Decimal, b: Decimal): Decimal {
  const [first, second] = [wholeNumber(a), wholeNumber(b)];
  if (first === 0n || second === 0n) return ZERO;
  return multiply(fromInteger(first / greatestDivisor(first, second)), fromInteger(second));
}

function wholePlaces(places: Decimal): number {
  const whole = toInteger(places);
  if (whole === undefined || whole > MAX_PLACES || whole < -MAX_PLACES) {
    throw new CalculatorError("DOMAIN", "round takes a whole number of places from -100 to 100");
  }
  return Number(whole);
}
