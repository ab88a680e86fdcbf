import { CalculatorError } from "./calculator-error.ts";
import { convertPhrase, readConversionPhrase } from "./conversion-phrase.ts";
import { evaluate, type GivenLists } from "./evaluate.ts";
import { type CalculatorAnswer, toCalculatorAnswer } from "./format-answer.ts";
import { toPlainNumbers } from "./local-numbers.ts";
import { parseExpression } from "./parse-expression.ts";
import { percentageNote } from "./percentage-note.ts";
import { MAX_CHARACTERS } from "./tokenize.ts";
import { joinNotes, numberOf } from "./value.ts";

const NO_LISTS: GivenLists = new Map();

export interface CalculatorOptions {
  /** Lists that the expression may name; default none. */
  readonly lists?: GivenLists;
  /** A tag of BCP 47: how numbers are written in the expression; default with a point and without separators. */
  readonly locale?: string;
}

/**
 * Calculates an arithmetic expression, in bounded time: at most 4 096 characters, 2 000 numbers, names and signs, 100
 * levels, and 60 000 items of lists gone through.
 *
 * - Decimal literals only. `*` may be left out only between a number or a bracket and a bracket or π: 2(3 + 4), 2π; behind
 *   a division or a power that is refused. `**` is `^`, which groups from the right and holds tighter
 *   than a sign: -2^2 is -4. 0^0 is 1.
 * - `50%` is 0.5, also after + and -: 200 + 10% is 200.1, with a note. Before a number, a name or a bracket `%` is the
 *   remainder, which has the sign of the dividend: -7 % 3 is -1. `10 % -3` could be either, and is refused.
 * - `round` takes halves away from zero; `log` is to base 10; angles are in radians; `n!` is the factorial.
 * - Sums, products, quotients, roots and whole powers are decimal, with up to 100 digits: 0.1 + 0.2 is 0.3, 2^64 is
 *   exact. Logarithms, angles and fractional powers are those of doubles.
 * - `5 km/h to m/s` as a whole is a conversion, as is `convert(5, "km/h", "m/s")` anywhere.
 *
 * @throws CalculatorError, and nothing else.
 */
export function calculate(given: unknown, { lists = NO_LISTS, locale }: CalculatorOptions = {}): CalculatorAnswer {
  const isReadable = typeof given === "string" && given.length <= MAX_CHARACTERS;
  const expression = isReadable && locale !== undefined ? toPlainNumbers(given, locale) : given;
  const phrase =
    typeof expression === "string" && expression.length <= 300 ? readConversionPhrase(expression) : undefined;
  if (phrase !== undefined) {
    return toCalculatorAnswer(
      convertPhrase(phrase, (amount) => numberOf(evaluate(parseExpression(amount), lists), "a conversion")),
    );
  }
  const parsed = parseExpression(expression);
  if (parsed.kind === "list") {
    throw new CalculatorError("SYNTAX", "a list alone has no value: write mean([…]), sum([…]), sort([…]) or the like");
  }
  const value = evaluate(parsed, lists);
  const note = percentageNote(parsed);
  return toCalculatorAnswer(note === undefined ? value : { ...value, note: joinNotes(value.note, note) });
}
