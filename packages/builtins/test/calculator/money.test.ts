import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calculate } from "../../src/calculator/calculate.ts";
import { ROUNDING_MODES } from "../../src/calculator/rounding.ts";

describe("rounding is as the table of java.math.RoundingMode says:", () => {
  /** Columns: UP, DOWN, CEILING, FLOOR, HALF_UP, HALF_DOWN, HALF_EVEN. */
  const MODES = ["up", "down", "ceiling", "floor", "half_up", "half_down", "half_even"];
  it.each<[number, readonly number[]]>([
    [5.5, [6, 5, 6, 5, 6, 5, 6]],
    [2.5, [3, 2, 3, 2, 3, 2, 2]],
    [1.6, [2, 1, 2, 1, 2, 2, 2]],
    [1.1, [2, 1, 2, 1, 1, 1, 1]],
    [1.0, [1, 1, 1, 1, 1, 1, 1]],
    [-1.0, [-1, -1, -1, -1, -1, -1, -1]],
    [-1.1, [-2, -1, -1, -2, -1, -1, -1]],
    [-1.6, [-2, -1, -1, -2, -2, -2, -2]],
    [-2.5, [-3, -2, -2, -3, -3, -2, -2]],
    [-5.5, [-6, -5, -5, -6, -6, -5, -6]],
  ])("%s", (value, rounded) => {
    expect(MODES.toSorted()).toEqual([...ROUNDING_MODES].toSorted());
    expect(MODES.map((mode) => calculate(`round(${value}, 0, "${mode}")`).value)).toEqual(rounded);
    expect(MODES.map((mode) => calculate(`round(${value} / 100, 2, "${mode}") * 100`).value)).toEqual(rounded);
  });
});

describe("amounts that decimal of Python 3 gives, ROUND_HALF_UP:", () => {
  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['add_tax(19.99, 19%, "EUR")', "23.79", { net: "19.99", tax: "3.80", gross: "23.79" }],
    ['remove_tax(49.90, 7%, "EUR")', "46.64", { net: "46.64", tax: "3.26", gross: "49.90" }],
    ['remove_tax(1190, 20%, "JPY")', "992", { net: "992", tax: "198", gross: "1190" }],
    ["discount(79.95, 15%)", "67.96", { price: "79.95", discount: "11.99", total: "67.96" }],
    ["discount(79.95, 100%)", "0.00", { price: "79.95", discount: "79.95", total: "0.00" }],
    ["tip(86.40, 18%)", "101.95", { bill: "86.40", tip: "15.55", total: "101.95" }],
    [
      'loan(200000, 4%, 360, "USD")',
      "954.83",
      { payment: "954.83", lastPayment: "955.46", totalPaid: "343739.43", totalInterest: "143739.43" },
    ],
    [
      "loan(12500, 6.99%, 48)",
      "299.27",
      { payment: "299.27", lastPayment: "299.29", totalPaid: "14364.98", totalInterest: "1864.98" },
    ],
    [
      "loan(1200, 0%, 12)",
      "100.00",
      { payment: "100.00", lastPayment: "100.00", totalPaid: "1200.00", totalInterest: "0.00" },
    ],
    ["compound(1000, 5%, 10, 12)", "1647.01", { principal: "1000.00", interest: "647.01", balance: "1647.01" }],
    ["compound(2500, 3.1%, 7)", "3095.64", { principal: "2500.00", interest: "595.64", balance: "3095.64" }],
    [
      'compound(100000, 4.25%, 5, 365, "CHF")',
      "123675.08",
      { principal: "100000.00", interest: "23675.08", balance: "123675.08" },
    ],
  ])("%s", (expression, exact, details) => {
    expect(calculate(expression)).toMatchObject({ exact, details, value: Number(exact) });
  });
});

describe("money", () => {
  it.each<[string, unknown]>([
    ['money(12.3, "EUR")', { value: 12.3, exact: "12.30", currency: "EUR" }],
    ['money(2.675, "usd")', { value: 2.68, exact: "2.68", currency: "USD" }],
    ['money(2.665, "USD", "half_even")', { value: 2.66, exact: "2.66", currency: "USD" }],
    ['money(1234.5, "JPY")', { value: 1235, exact: "1235", currency: "JPY" }],
    ['money(1.23456, "KWD")', { value: 1.235, exact: "1.235", currency: "KWD" }],
    ['money(10 / 3, "EUR")', { value: 3.33, exact: "3.33", currency: "EUR" }],
    ['split(100, 3, "EUR")', { value: [33.34, 33.33, 33.33], exact: ["33.34", "33.33", "33.33"], currency: "EUR" }],
    ["split(-100, 3)", { value: [-33.34, -33.33, -33.33], exact: ["-33.34", "-33.33", "-33.33"] }],
    ["split(100, [2, 1, 1])", { value: [50, 25, 25], exact: ["50.00", "25.00", "25.00"] }],
    ["split(0.05, [0.3, 0.7])", { value: [0.02, 0.03], exact: ["0.02", "0.03"] }],
    ['split(1000, 3, "JPY")', { value: [334, 333, 333], exact: ["334", "333", "333"], currency: "JPY" }],
    ["add_vat(100, 19%) * 2", { value: 238, exact: "238" }],
    ["0.1 + 0.2", { value: 0.3, exact: "0.3" }],
    ["19.99 * 3", { value: 59.97, exact: "59.97" }],
    ["1 / 3", { value: 0.333333333333333 }],
    ["2 ^ 64", { value: "18446744073709551616", exact: "18446744073709551616" }],
    ["12345678901.23 * 1.0725", { value: 13240740621.5692, exact: "13240740621.569175" }],
  ])("%s", (expression, answer) => {
    expect(calculate(expression)).toEqual(answer);
  });

  it.each<[string, string, RegExp]>([
    ["add_tax(100, 19)", "DOMAIN", /write 19% or 0\.19, not 19/],
    ["loan(1000, 4, 12)", "DOMAIN", /write 4% or 0\.04, not 4$/],
    ["tip(100, 1)", "DOMAIN", /could be 1% or 100%/],
    ["compound(1000, 1, 5)", "DOMAIN", /could be 1% or 100%/],
    ["add_tax(100, 250%)", "DOMAIN", /0% to 100%, not 250%$/],
    ["discount(100, 1900)", "DOMAIN", /0% to 100%, not 1900$/],
    ["discount(100, -5%)", "DOMAIN", /0% to 100%, not -5%$/],
    ['money(5, "EURO")', "DOMAIN", /ISO 4217 currency code such as EUR/],
    ["money(5, EUR)", "UNKNOWN_IDENTIFIER", /eur is not known/],
    ["money(5)", "ARITY", /2 to 3 arguments/],
    ['money(5, "EUR", "bankers")', "DOMAIN", /rounding mode, one of half_up, half_even/],
    ["split(0.005, 2)", "DOMAIN", /at most 2 decimals: round it first/],
    ["split(100, 0)", "DOMAIN", /1 to 1000 parts/],
    ["split(100, 1001)", "DOMAIN", /1 to 1000 parts/],
    ["split(100, 2.5)", "DOMAIN", /1 to 1000 parts/],
    ["split(100, [1, -1])", "DOMAIN", /weights of at least 0/],
    ["split(100, [])", "DOMAIN", /weights/],
    ["loan(1000, 5%, 0)", "DOMAIN", /whole number of months from 1 to 1200/],
    ["loan(1000, 5%, 1201)", "DOMAIN", /1 to 1200/],
    ["compound(1000, 5%, 1, 0)", "DOMAIN", /more than 0 periods/],
    ['"EUR"', "SYNTAX", /a quoted string has no value/],
  ])("%s is refused", (expression, code, message) => {
    expect(() => calculate(expression)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});

const seed = 20_261_121;
const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
const toText = (amount: number) =>
  `${amount < 0 ? "-" : ""}${Math.trunc(Math.abs(amount) / 100)}.${String(Math.abs(amount) % 100).padStart(2, "0")}`;

it("the parts of a split add up to the amount and differ by one coin at most", () => {
  fc.assert(
    fc.property(cents, fc.integer({ min: 1, max: 40 }), (amount, count) => {
      const { exact = [] } = calculate(`split(${toText(amount)}, ${count})`);
      const parts = [...exact].map((part) => Math.round(Number(part) * 100));
      expect(parts.reduce((a, b) => a + b, 0)).toBe(amount);
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
    }),
    { numRuns: 200, seed },
  );
});

it("weighted parts add up too, and are within a coin of their share", () => {
  const weights = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(cents, weights, (amount, shares) => {
      const total = shares.reduce((a, b) => a + b, 0);
      fc.pre(total > 0);
      const { exact = [] } = calculate(`split(${toText(amount)}, [${shares.join(", ")}])`);
      const parts = [...exact].map((part) => Math.round(Number(part) * 100));
      expect(parts.reduce((a, b) => a + b, 0)).toBe(amount);
      shares.forEach((share, index) => {
        expect(Math.abs((parts[index] ?? Number.NaN) - (amount * share) / total)).toBeLessThan(1.001);
      });
    }),
    { numRuns: 200, seed },
  );
});

it("net and tax are the gross, both ways", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 100 }), (amount, rate) => {
      const gross = calculate(`add_tax(${toText(amount)}, ${rate}%)`).exact;
      const { exact, details } = calculate(`remove_tax(${String(gross)}, ${rate}%)`);
      expect(exact).toBe(toText(amount));
      expect(calculate(`${details?.["net"]} + ${details?.["tax"]} - ${String(gross)}`).value).toBe(0);
    }),
    { numRuns: 200, seed },
  );
});
