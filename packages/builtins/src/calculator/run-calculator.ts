import type { BuiltinOutcome } from "../builtin-tool.ts";
import { calculate } from "./calculate.ts";
import { CalculatorError, type CalculatorErrorCode } from "./calculator-error.ts";
import { readGivenLists } from "./given-lists.ts";

/** What the model can do about an error, unless its message already says so. */
const HINTS: Readonly<Partial<Record<CalculatorErrorCode, string>>> = {
  INPUT_TOO_LONG: "give long lists as values, and split long sums into several calls",
  TOO_COMPLEX: "split the calculation into several calls",
  UNKNOWN_IDENTIFIER: "write the numbers themselves: there are no variables; pass a list as values",
  UNIT: 'write both units as symbols, for example convert(5, "km/h", "m/s") or 98.6 °F to °C',
  DIVISION_BY_ZERO: "check the divisor; there is no result to continue with",
  OVERFLOW: "calculate with logarithms or in larger units",
};

/**
 * Runs one call of the calculator.
 *
 * @param maxItems - maximum length of a given list.
 */
export function runCalculator(
  { expression, values, yValues, locale }: Readonly<Record<string, unknown>>,
  maxItems: number,
): BuiltinOutcome {
  try {
    const lists = readGivenLists({ values, yValues }, maxItems);
    return { result: calculate(expression, { lists, ...(typeof locale === "string" ? { locale } : {}) }) };
  } catch (error) {
    if (!(error instanceof CalculatorError)) throw error;
    const message = `${error.code}: ${error.message}`;
    const hint = error.hint ?? HINTS[error.code] ?? "correct the expression and call again";
    return { error: { code: "INVALID_ARGUMENTS", message, hint, retryable: true } };
  }
}
