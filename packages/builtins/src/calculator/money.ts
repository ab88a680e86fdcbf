import { add, compare, divide, multiply, power, subtract, toInteger } from "./arithmetic.ts";
import { CalculatorError } from "./calculator-error.ts";
import { type Decimal, fromInteger, powerOfTen, signOf, toDecimal } from "./decimal.ts";
import { type RoundingMode, roundWith } from "./rounding.ts";
import type { Currency } from "./value.ts";

const ZERO = fromInteger(0n);
const ONE = fromInteger(1n);

/** Rounds a value to the currency's minor unit. */
export function toAmount(value: Decimal, { digits }: Currency, mode: RoundingMode = "half_up"): Decimal {
  return roundWith(value, digits, mode);
}

/**
 * Splits an amount by weights into parts that add up to it exactly. Each part is rounded down. The remaining minor
 * units go, one each, to the parts that lost most by rounding; in a tie, to the earlier part.
 *
 * @throws CalculatorError `DOMAIN` for an amount with more decimal places than the currency has, or for invalid
 *   weights.
 */
export function splitAmount(amount: Decimal, weights: readonly Decimal[], currency: Currency): readonly Decimal[] {
  const scaled = toInteger(multiply(amount, toDecimal(1n, currency.digits, Number.POSITIVE_INFINITY)));
  if (scaled === undefined) {
    throw new CalculatorError(
      "DOMAIN",
      `split needs an amount with at most ${currency.digits} decimals: round it first`,
    );
  }
  const total = weights.reduce(add, ZERO);
  if (weights.some((weight) => signOf(weight) < 0) || signOf(total) <= 0) {
    throw new CalculatorError("DOMAIN", "split needs weights of at least 0 that are not all 0");
  }
  const exponent = Math.min(...weights.map((weight) => weight.exponent));
  const sizes = weights.map((weight) => weight.coefficient * powerOfTen(weight.exponent - exponent));
  const whole = sizes.reduce((sum, size) => sum + size, 0n);
  const coins = scaled < 0n ? -scaled : scaled;
  const parts = sizes.map((size, index) => ({ index, coins: (coins * size) / whole, lost: (coins * size) % whole }));
  const left = Number(coins - parts.reduce((sum, part) => sum + part.coins, 0n));
  const byLoss = parts.toSorted((a, b) => (a.lost < b.lost ? 1 : a.lost > b.lost ? -1 : a.index - b.index));
  const lucky = new Set(byLoss.slice(0, left).map(({ index }) => index));
  return parts.map((part) => {
    const size = part.coins + (lucky.has(part.index) ? 1n : 0n);
    return toDecimal(scaled < 0n ? -size : size, -currency.digits, Number.POSITIVE_INFINITY);
  });
}

/** The cost of a loan. */
export interface Loan {
  /** Each monthly payment except the last one. */
  readonly payment: Decimal;
  readonly lastPayment: Decimal;
  readonly totalPaid: Decimal;
  readonly totalInterest: Decimal;
}

/**
 * Calculates a loan with equal payments at the end of each month. The monthly interest is a twelfth of the yearly rate,
 * rounded to the minor unit. The last payment pays off the rest.
 *
 * @param months - 1 to 1200.
 */
export function loanOf(principal: Decimal, yearlyRate: Decimal, months: number, currency: Currency): Loan {
  const rate = divide(yearlyRate, fromInteger(12n));
  const count = fromInteger(BigInt(months));
  const share =
    signOf(rate) === 0
      ? divide(ONE, count)
      : divide(rate, subtract(ONE, power(add(ONE, rate), fromInteger(BigInt(-months)))));
  const payment = toAmount(multiply(principal, share), currency);
  let debt = principal;
  let paid = ZERO;
  for (let month = 1; month < months; month++) {
    const due = add(debt, toAmount(multiply(debt, rate), currency));
    const now = compare(due, payment) < 0 ? due : payment;
    debt = subtract(due, now);
    paid = add(paid, now);
  }
  const lastPayment = add(debt, toAmount(multiply(debt, rate), currency));
  const totalPaid = add(paid, lastPayment);
  return { payment, lastPayment, totalPaid, totalInterest: subtract(totalPaid, principal) };
}
