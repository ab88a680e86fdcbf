import { CalculatorError } from "./calculator-error.ts";
import { convertPhrase, readConversionPhrase } from "./conversion-phrase.ts";
import { evaluate, type GivenLists } from "./evaluate.ts";
import { type CalculatorResult, toCalculatorResult } from "./format-result.ts";
import { toPlainNumbers } from "./local-numbers.ts";
import { parseExpression } from "./parse-expression.ts";
import { percentageNote } from "./percentage-note.ts";
import { MAX_CHARACTERS } from "./tokenize.ts";
import { joinNotes, numberOf } from "./value.ts";

const NO_LISTS: GivenLists = new Map();

export interface CalculatorOptions {
  /** Lists that the expression may refer to by name; default: none. */
  readonly lists?: GivenLists;
  /** BCP 47 tag of the locale whose number format the expression uses; default: a decimal point and no separators. */
  readonly locale?: string;
}

/**
 * Calculates an arithmetic expression in bounded time. An expression may have up to 4,096 characters, 2,000 tokens and
 * 100 levels of nesting, and all its functions together may read 60,000 list items.
 *
 * - Literals are decimal. `*` may be omitted only between a number or `)` and a following `(` or π: 2(3 + 4), 2π. After
 *   a division or a power, omitting it is an error. `**` means `^`, which is right-associative and binds tighter than a
 *   sign: -2^2 is -4. 0^0 is 1.
 * - `50%` is 0.5, even after + and -: 200 + 10% is 200.1, with a note. Before a number, a name, `(` or `[`, `%` is the
 *   remainder operator, whose result has the sign of the dividend: -7 % 3 is -1. `10 % -3` is ambiguous and therefore
 *   an error.
 * - `round` rounds halves away from zero; `log` is to base 10; angles are in radians; `n!` is the factorial.
 * - Sums, products, quotients, roots and whole powers are decimal, with up to 100 digits: 0.1 + 0.2 is 0.3, and 2^64 is
 *   exact. Logarithms, trigonometric functions and fractional powers have the precision of doubles.
 * - A complete expression can be a conversion such as `5 km/h to m/s`; `convert(5, "km/h", "m/s")` works anywhere in an
 *   expression.
 *
 * @throws CalculatorError, and no other error.
 */
export function calculate(given: unknown, { lists = NO_LISTS, locale }: CalculatorOptions = {}): CalculatorResult {
  const isReadable = typeof given === "string" && given.length <= MAX_CHARACTERS;
  const expression = isReadable && locale !== undefined ? toPlainNumbers(given, locale) : given;
  const phrase =
    typeof expression === "string" && expression.length <= 300 ? readConversionPhrase(expression) : undefined;
  if (phrase !== undefined) {
    return toCalculatorResult(
      convertPhrase(phrase, (amount) => numberOf(evaluate(parseExpression(amount), lists), "a conversion")),
    );
  }
  const parsed = parseExpression(expression);
  if (parsed.kind === "list") {
    throw new CalculatorError(
      "SYNTAX",
      "a list alone has no value: write, for example, mean([…]), sum([…]) or sort([…])",
    );
  }
  const value = evaluate(parsed, lists);
  const note = percentageNote(parsed);
  return toCalculatorResult(note === undefined ? value : { ...value, note: joinNotes(value.note, note) });
}
