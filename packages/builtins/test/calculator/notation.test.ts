import { describe, expect, it } from "vitest";
import { calculate } from "../../src/calculator/calculate.ts";
import { CalculatorError } from "../../src/calculator/calculator-error.ts";

function failureOf(expression: string, locale?: string): unknown {
  try {
    return calculate(expression, locale === undefined ? {} : { locale });
  } catch (error) {
    if (error instanceof CalculatorError) return { code: error.code, message: error.message };
    throw error;
  }
}

describe("as people write it:", () => {
  it.each<[string, number | string]>([
    ["nCr(5, 2)", 10],
    ["5 nCr 2", 10],
    ["5nCr2", 10],
    ["5C2 - 5C2".replaceAll("C", " ncr "), 0],
    ["nPr(5, 2) + choose(5, 2) + perm(5, 2)", 50],
    ["10 nPr 3", 720],
    ["-5 nCr 2", -10],
    ["2 * 5 nCr 2", 20],
    ["60 / 5 nCr 2", 6],
    ["(2 + 3) nCr (1 + 1)", 10],
    ["3! nCr 2", 15],
    ["3 nCr 5", 0],
    ["52 nCr 5", 2598960],
    ["nCr(100, 50)", "100891344545564193334812497256"],
    ["1e300 nCr 1", 1e300],
    ["3²", 9],
    ["-3²", -9],
    ["2^3²", 512],
    ["2³ + 2⁻²", 8.25],
    ["(1 + 2)² * 2¹⁰", 9216],
    ["10⁻³", 0.001],
    ["√9", 3],
    ["√(9 + 16)", 5],
    ["√√16 * 3", 6],
    ["√2²", 2],
    ["2 * √16 / 4", 2],
    ["-√9", -3],
    ["∛27", 3],
    ["√nCr(9, 1)", 3],
    ["2(3 + 4)", 14],
    ["2 (3 + 4)", 14],
    ["(1 + 2)(3 + 4)", 21],
    ["2(3)(4)", 24],
    ["-2(3)", -6],
    ["10 - 2(3)", 4],
    ["2(3)^2", 18],
    ["2(3)!", 12],
    ["2(3) / 4", 1.5],
    ["2 * 3(4)", 24],
    ["(√4)(3)", 6],
    ["(5 nCr 2)(sqrt(9))", 30],
    ["2π / π", 2],
    ["2π²/π²", 2],
    ["(1 + 1)π - 2 * pi", 0],
    ["50% * 2(3)", 3],
    ["10 % (3)", 1],
  ])("%s is %s", (expression, value) => {
    expect(calculate(expression).value).toBe(value);
  });

  it.each<[string, RegExp]>([
    [
      "1/2(3)",
      /^\( at character 4: a product without \* after \/ is ambiguous; write \(a \/ b\) \* c or a \/ \(b \* c\)$/,
    ],
    ["6/2(1 + 2)", /ambiguous; write/],
    ["6/-2(3)", /ambiguous; write/],
    ["1/2π", /π at character 4: .* ambiguous; write \(a \/ b\) \* c/],
    ["1/2x", /x at character 4: .* ambiguous; write \(a \/ b\) \* c or .*units only in conversions/],
    ["7 % 2(3)", /after % is ambiguous; write \(a % b\) \* c/],
    ["2^3(4)", /after \^ is ambiguous; write \(a \^ b\) \* c/],
    ["2(3)^2(4)", /after \^ is ambiguous/],
    ["2x", /write \* to multiply, and use units only in conversions/],
    ["2pi", /write \* to multiply/],
    ["2sqrt(4)", /write \* to multiply/],
    ["2√9", /expected an operator at character 2, not √; write \* to multiply/],
    ["(2)3", /expected an operator at character 4, not 3; write \* to multiply/],
    ["2 3", /write \* to multiply/],
    ["sqrt(4)(3)", /write \* to multiply/],
    ["√2(3)", /a root before a product without \* is ambiguous; write sqrt\(…\) \* …/],
    ["√4!", /a root before it is ambiguous; write sqrt\(…\) with the complete/],
    ["√50%", /a root before it is ambiguous/],
    ["√-4", /expected a number, a name or a bracket at character 2, not -/],
    ["2²^3", /a superscript before it is ambiguous; write .*\(a\^2\)\^b/],
    ["3²!", /a superscript before it is ambiguous/],
    ["2^5 nCr 2", /nCr or nPr next to it is ambiguous; write nCr\(5, 2\)/],
    ["5 nCr 2^2", /nCr or nPr next to it is ambiguous/],
    ["5 nCr 2²", /nCr or nPr next to it is ambiguous/],
    ["5 nCr 2!", /nCr or nPr next to it is ambiguous/],
    ["5 nCr 3 nCr 2", /nCr or nPr next to it is ambiguous/],
    ["5 nCr 2(3)", /nCr or nPr next to it is ambiguous/],
    ["2(5) nCr 2", /nCr or nPr next to it is ambiguous/],
    ["5 nCr -2", /expected a number, a name or a bracket/],
  ])("%s is refused, with what to write", (expression, message) => {
    expect(failureOf(expression)).toEqual({ code: "SYNTAX", message: expect.stringMatching(message) });
  });

  it.each<[string, string, RegExp]>([
    ["π(2)", "UNKNOWN_IDENTIFIER", /^π is not a function: write π \* \(…\)/],
    ["2e(3)", "SYNTAX", /write \* to multiply/],
    ["nCr(5.5, 2)", "DOMAIN", /nCr needs whole numbers/],
    ["nCr(5, -2)", "DOMAIN", /nCr needs whole numbers/],
    ["nCr(1e300, 1e299)", "OVERFLOW", /too large/],
    ["nPr(1000, 900)", "OVERFLOW", /too large/],
    ["nCr(5)", "ARITY", /takes 2 arguments, not 1/],
    ["√(-4)", "DOMAIN", /at least 0/],
    [Array(200).fill("nCr(1020, 510)").join("+"), "TOO_COMPLEX", /too often/],
  ])("%s has its error", (expression, code, message) => {
    expect(failureOf(expression)).toEqual({ code, message: expect.stringMatching(message) });
  });
});

describe("in the numbers of a locale:", () => {
  it.each<[string, string, number]>([
    ["de", "1.234,56 * 2", 2469.12],
    ["de", "1234,5 + 1.234.567", 1235801.5],
    ["de", "sqrt(2,25)", 1.5],
    ["de", "round(2,345; 2)", 2.35],
    ["de", "max(1; 2,5)", 2.5],
    ["de", "max((1,5 + 1) * 2; 3)", 5],
    ["de", "mean([1,5; 2,5])", 2],
    ["de", "max(1, 2)", 2],
    ["de", "1,5e3 + 1", 1501],
    ["de", "200 * 7,5%", 15],
    ["de", "1.234,5 km to m", 1234500],
    ["de", 'convert(1.234,5; "km/h"; "km/h")', 1234.5],
    ["de", "2(1,5)", 3],
    ["de", "log10(1.000)", 3],
    ["pt_BR", "1.234,56", 1234.56],
    ["fr", "1 234,56 + 1\u202f000", 2234.56],
    ["fr", "1\u00a0234\u2009567,5", 1234567.5],
    ["fr", "max(1 234; 5)", 1234],
    ["de-CH", "1'234.56 + 1’000", 2234.56],
    ["de-CH", "max(1'234,5)", 1234],
    ["de-CH", "max(1,234)", 234],
    ["en-IN", "12,34,567.8", 1234567.8],
    ["en-IN", "1,23,456 + 999", 124455],
    ["en", "1,234.56 + .5", 1235.06],
    ["en", "max(1,2,30)", 30],
    ["en", "max(1, 234)", 234],
    ["en", "max(1,234; 5)", 1234],
    ["en", "abs(1,234)", 1234],
    ["en-US", 'money(1,234.565; "USD")', 1234.57],
    ["es", "1.234", 1234],
    ["ar", "1,234.5", 1234.5],
  ])("%s: %s is %s", (locale, expression, value) => {
    expect(calculate(expression, { locale }).value).toBe(value);
  });

  it.each<[string, string, RegExp]>([
    [
      "de",
      "1.5 + 1",
      /^the number at character 1 does not have the format of de: write 1\.234\.567,5, or leave locale out$/,
    ],
    ["de", "2 * .5", /^the number at character 5 does not have the format of de/],
    ["de", "1,234.56", /not have the format of de/],
    ["de", "1.23.456", /not have the format of de/],
    ["de", "max(1,5)", /^the number at character 5 could be several numbers: write ; between arguments/],
    ["de", "round(2,345, 2)", /could be several/],
    ["de", "[1,5]", /could be several/],
    ["en", "max(1,234)", /could be several/],
    ["en", "sum(1,2,345)", /could be several/],
    ["en-IN", "sum(1,23,456)", /could be several/],
    ["en-IN", "1,234,567", /not have the format of en-IN: write 12,34,567\.5/],
    ["en", "12,34,567", /not have the format of en: write 1,234,567\.5/],
    ["en", "1,23", /not have the format of en/],
    ["fr", "mean([100 200 300])", /could be several/],
    ["fr", "1 23", /not have the format of fr/],
    ["fr", "1.5", /not have the format of fr/],
    ["de-CH", "1'23", /not have the format of de-CH/],
    ["de", "1,5 + 2,5 +", /but the expression ends/],
    ["de", "3,5; 4", /unexpected ";" at character 4/],
    ["de", "1.234 # 2", /unexpected "#" at character 7/],
    ["klingon-", "1", /^expected a BCP 47 locale/],
    ["zz", "1", /^expected a BCP 47 locale/],
  ])("%s: %s is refused", (locale, expression, message) => {
    expect(failureOf(expression, locale)).toEqual({ code: "SYNTAX", message: expect.stringMatching(message) });
  });

  it("reads what a locale writes", () => {
    for (const locale of [
      "de",
      "de-AT",
      "de-CH",
      "fr",
      "fr-CH",
      "en",
      "en-IN",
      "hi",
      "es",
      "pl",
      "pt-PT",
      "sv",
      "cs",
      "it-CH",
      "ja",
    ]) {
      const format = new Intl.NumberFormat(locale, { numberingSystem: "latn", maximumFractionDigits: 3 });
      for (const value of [0.5, 7, 999, 1234.5, 12_345, 1_234_567.875, 98_765_432_109]) {
        expect(calculate(format.format(value), { locale }).value, `${locale}: ${format.format(value)}`).toBe(value);
      }
    }
  });
});
