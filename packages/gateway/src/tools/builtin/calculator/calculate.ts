import { evaluate } from "./evaluate.ts";
import { toAnswer } from "./format-decimal.ts";
import { parseExpression } from "./parse-expression.ts";

/**
 * Calculates an arithmetic expression, in bounded time: at most 4 096 characters, 2 000 numbers, names and signs, and
 * 100 levels.
 *
 * - Decimal literals only; multiplication is always written. `**` is `^`, which groups from the right and holds tighter
 *   than a sign: -2^2 is -4. 0^0 is 1.
 * - `50%` is 0.5, also after + and -: 200 + 10% is 200.1. Before a number, a name or a bracket `%` is the remainder,
 *   which has the sign of the dividend: -7 % 3 is -1.
 * - `round` takes halves away from zero; `log` is to base 10; angles are in radians; `n!` is the factorial.
 * - Sums, products, quotients, roots and whole powers are decimal, with up to 100 digits: 0.1 + 0.2 is 0.3, 2^64 is
 *   exact. Logarithms, angles and fractional powers are those of doubles.
 *
 * @returns a finite number, or a text of digits where a JSON number would lose some.
 * @throws CalculatorError, and nothing else.
 */
export function calculate(expression: unknown): number | string {
  return toAnswer(evaluate(parseExpression(expression)));
}
