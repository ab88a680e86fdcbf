import { toInteger } from "./arithmetic.ts";
import { CalculatorError } from "./calculator-error.ts";
import type { CalculatorFunction } from "./calculator-function.ts";
import { fromInteger } from "./decimal.ts";
import { numberOf, toValue, type Value } from "./value.ts";

/**
 * Maximum number of factors. C(2r, r) exceeds 1.8e308 from r = 515, and r! from r = 171, so a product with more factors
 * overflows in any case.
 */
const MAX_FACTORS = 520n;
const TOO_LARGE = 10n ** 310n;

/** Functions that count selections: `ncr` without order, `npr` with order. */
export const COUNTING_FUNCTIONS: ReadonlyMap<string, CalculatorFunction> = new Map([
  ["ncr", counting("nCr", combinations)],
  ["npr", counting("nPr", permutations)],
]);

function counting(name: string, count: (n: bigint, r: bigint) => bigint): CalculatorFunction {
  const whole = (value: Value | undefined) => wholeNumber(value, name);
  return {
    arity: { min: 2, max: 2 },
    cost: ([, r]) => Number(smaller(whole(r), MAX_FACTORS)),
    apply: ([n, r]) => toValue(fromInteger(count(whole(n), whole(r)))),
  };
}

function combinations(n: bigint, r: bigint): bigint {
  if (r > n) return 0n;
  const factors = smaller(r, n - r);
  let product = 1n;
  for (let factor = 0n; factor < factors; factor++) product = bounded((product * (n - factor)) / (factor + 1n));
  return product;
}

function permutations(n: bigint, r: bigint): bigint {
  if (r > n) return 0n;
  let product = 1n;
  for (let factor = 0n; factor < r; factor++) product = bounded(product * (n - factor));
  return product;
}

/** Returns the product. @throws CalculatorError `OVERFLOW` if it is too large for a result. */
function bounded(product: bigint): bigint {
  if (product > TOO_LARGE) throw new CalculatorError("OVERFLOW", "the value is too large: at most about 1.8e308");
  return product;
}

function wholeNumber(value: Value | undefined, name: string): bigint {
  const whole = toInteger(numberOf(value, name));
  if (whole !== undefined && whole >= 0n) return whole;
  throw new CalculatorError("DOMAIN", `${name} needs whole numbers of at least 0: ${name}(5, 2)`);
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
