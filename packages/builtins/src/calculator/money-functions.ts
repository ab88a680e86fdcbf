import { add, compare, divide, multiply, power, subtract, toInteger } from "./arithmetic.ts";
import { CalculatorError } from "./calculator-error.ts";
import type { CalculatorFunction } from "./calculator-function.ts";
import { CENTS, parseCurrency } from "./currency.ts";
import { type Decimal, fromInteger, signOf } from "./decimal.ts";
import { toAnswer } from "./format-decimal.ts";
import { loanOf, splitAmount, toAmount } from "./money.ts";
import { parseRoundingMode } from "./rounding.ts";
import { type Currency, numberOf, textOf, type Value } from "./value.ts";

const ONE = fromInteger(1n);
const MAX_PARTS = 1_000;
const MAX_MONTHS = 1_200;
const STEPS_PER_MONTH = 8;

/** Functions for money. They calculate in decimal and round to the currency's minor unit, halves away from zero. */
export const MONEY_FUNCTIONS: ReadonlyMap<string, CalculatorFunction> = new Map([
  ["money", { arity: { min: 2, max: 3 }, apply: money }],
  ["split", { arity: { min: 2, max: 3 }, apply: split }],
  [
    "add_tax",
    ofRate("add_tax", (net, rate, currency) => {
      const tax = toAmount(multiply(net, rate), currency);
      const gross = add(net, tax);
      return record(gross, { net, tax, gross }, currency);
    }),
  ],
  [
    "remove_tax",
    ofRate("remove_tax", (gross, rate, currency) => {
      const net = toAmount(divide(gross, add(ONE, rate)), currency);
      return record(net, { net, tax: subtract(gross, net), gross }, currency);
    }),
  ],
  [
    "discount",
    ofRate("discount", (price, rate, currency) => {
      const discount = toAmount(multiply(price, rate), currency);
      const total = subtract(price, discount);
      return record(total, { price, discount, total }, currency);
    }),
  ],
  [
    "tip",
    ofRate("tip", (bill, rate, currency) => {
      const tip = toAmount(multiply(bill, rate), currency);
      const total = add(bill, tip);
      return record(total, { bill, tip, total }, currency);
    }),
  ],
  [
    "loan",
    {
      arity: { min: 3, max: 4 },
      cost: (values) => STEPS_PER_MONTH * Math.min(MAX_MONTHS, monthsOf(values[2])),
      apply: loan,
    },
  ],
  ["compound", { arity: { min: 3, max: 5 }, apply: compound }],
]);

function money([value, code, mode]: readonly Value[]): Value {
  const currency = parseCurrency(textOf(code, "money", '"EUR"'));
  const named = mode === undefined ? "half_up" : parseRoundingMode(textOf(mode, "money", '"half_even"'));
  return { kind: "number", number: toAmount(numberOf(value, "money"), currency, named), currency };
}

function split([value, parts, code]: readonly Value[]): Value {
  const currency = currencyOf(code, "split");
  const amount = numberOf(value, "split");
  if (parts?.kind === "list") return { kind: "list", items: splitAmount(amount, parts.items, currency), currency };
  const count = Number(toInteger(numberOf(parts, "split")) ?? 0n);
  if (count < 1 || count > MAX_PARTS) {
    throw new CalculatorError("DOMAIN", `split needs 1 to ${MAX_PARTS} parts, or a list of weights such as [2, 1, 1]`);
  }
  return {
    kind: "list",
    items: splitAmount(
      amount,
      Array.from({ length: count }, () => ONE),
      currency,
    ),
    currency,
  };
}

function ofRate(
  name: string,
  apply: (amount: Decimal, rate: Decimal, currency: Currency) => Value,
): CalculatorFunction {
  return {
    arity: { min: 2, max: 3 },
    apply: ([value, rate, code]) => {
      const currency = currencyOf(code, name);
      return apply(toAmount(numberOf(value, name), currency), rateOf(rate, name), currency);
    },
  };
}

function loan([principal, rate, months, code]: readonly Value[]): Value {
  const currency = currencyOf(code, "loan");
  const count = monthsOf(months);
  if (count < 1 || count > MAX_MONTHS) {
    throw new CalculatorError("DOMAIN", `loan needs a whole number of months from 1 to ${MAX_MONTHS}`);
  }
  const cost = loanOf(toAmount(numberOf(principal, "loan"), currency), rateOf(rate, "loan"), count, currency);
  return record(cost.payment, { ...cost }, currency);
}

function monthsOf(months: Value | undefined): number {
  return Number(toInteger(numberOf(months, "loan")) ?? 0n);
}

/** Calculates compound interest: compound(principal, yearly rate, years, periods a year = 1, currency). */
function compound([principal, rate, years, perYear, code]: readonly Value[]): Value {
  const currency = currencyOf(code ?? (perYear?.kind === "text" ? perYear : undefined), "compound");
  const periods = perYear === undefined || perYear.kind === "text" ? ONE : numberOf(perYear, "compound");
  if (signOf(periods) <= 0) throw new CalculatorError("DOMAIN", "compound needs more than 0 periods per year");
  const start = toAmount(numberOf(principal, "compound"), currency);
  const growth = add(ONE, divide(rateOf(rate, "compound"), periods));
  const end = multiply(start, power(growth, multiply(numberOf(years, "compound"), periods)));
  const balance = toAmount(end, currency);
  return record(balance, { principal: start, interest: subtract(balance, start), balance }, currency);
}

function record(number: Decimal, fields: Readonly<Record<string, Decimal>>, currency: Currency): Value {
  return { kind: "record", number, fields, currency };
}

function currencyOf(code: Value | undefined, name: string): Currency {
  return code === undefined ? CENTS : parseCurrency(textOf(code, name, '"EUR"'));
}

/**
 * Reads a rate. A rate of 19 instead of 19% would be a tax of 1900 per cent, and a bare 1 could mean 1% or 100%, so
 * both are errors.
 */
function rateOf(value: Value | undefined, name: string): Decimal {
  const rate = numberOf(value, name);
  const isPercentage = value?.isPercentage === true;
  const isAboveZero = signOf(rate) >= 0;
  const size = compare(rate, ONE);
  if (isAboveZero && (size < 0 || (size === 0 && isPercentage))) return rate;
  const inPercent = toAnswer(multiply(rate, fromInteger(100n)));
  if (!isAboveZero || isPercentage) {
    const written = isPercentage ? `${inPercent}%` : toAnswer(rate);
    throw new CalculatorError("DOMAIN", `${name} needs a rate from 0% to 100%, not ${written}`);
  }
  const shown = toAnswer(rate);
  if (size === 0) throw new CalculatorError("DOMAIN", `${name}: a rate of 1 could be 1% or 100%; write it with %`);
  const share = toAnswer(divide(rate, fromInteger(100n)));
  const example =
    compare(rate, fromInteger(100n)) <= 0 ? `: write ${shown}% or ${share}, not ${shown}` : `, not ${shown}`;
  throw new CalculatorError("DOMAIN", `${name} needs a rate from 0% to 100%${example}`);
}
