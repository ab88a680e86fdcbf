import { CalculatorError } from "./calculator-error.ts";
import { FUNCTIONS, resolveFunctionName } from "./function-names.ts";
import { findBrackets } from "./local-brackets.ts";
import { type NumberStyle, numberStyleOf } from "./number-style.ts";

/**
 * Matches quoted strings, names, brackets, and numbers with possible digit separators. An apostrophe after a digit is
 * not a quote. An unclosed quote matches the rest of the text; searching for the closing quote again at each position
 * would take quadratic time.
 */
const PIECE =
  /(?<quoted>"[^"]*"?|“[^”]*”?|'[^']*'?)|(?<name>[\p{L}_][\p{L}\p{N}_]*)|(?<number>\.?\d+(?:[.,'’ \u00a0\u2009\u202f]\d+)*)|(?<sign>[()[\];])/gu;
const SPACES = /[ \u00a0\u2009\u202f]/gu;
const EXPONENT = /^[eE][+-]?\d+/;

/**
 * Rewrites the numbers of an expression from a locale's format to plain numbers, and each `;` between arguments to a
 * comma. The result has the same length, so positions in messages stay correct.
 *
 * @param locale - BCP 47 tag.
 * @throws CalculatorError `SYNTAX` for a number that is ambiguous or not in the format of the locale.
 */
export function toPlainNumbers(expression: string, locale: string): string {
  const style = numberStyleOf(locale);
  const brackets = findBrackets(expression, PIECE);
  let plain = "";
  let at = 0;
  const pieces = new RegExp(PIECE);
  for (let piece = pieces.exec(expression); piece !== null; piece = pieces.exec(expression)) {
    const { number, sign } = piece.groups ?? {};
    plain += expression.slice(at, piece.index);
    at = pieces.lastIndex;
    if (sign === ";") plain += brackets.isSeparator(piece.index) ? "," : sign;
    else if (number === undefined) plain += piece[0];
    else {
      const { name, hasSemicolon, isList } = brackets.around(piece.index);
      const isAlone = hasSemicolon || !(isList || takesSeveral(name));
      plain += isAlone ? toPlain(number, style, piece.index) : toPlainArguments(number, style, piece.index);
      const exponent = EXPONENT.exec(expression.slice(at))?.[0] ?? "";
      plain += exponent;
      at += exponent.length;
      pieces.lastIndex = at;
    }
  }
  return plain + expression.slice(at);
}

/** Returns whether the function may take more than one argument, so that a comma can be a separator. */
function takesSeveral(name: string | undefined): boolean {
  return name !== undefined && (FUNCTIONS.get(resolveFunctionName(name))?.arity.max ?? 2) > 1;
}

/** Rewrites a number at a position where a comma cannot be a separator. */
function toPlain(text: string, style: NumberStyle, index: number): string {
  const written = text.replace(SPACES, " ").replaceAll("’", "'");
  if (!style.pattern.test(written)) {
    throw new CalculatorError(
      "SYNTAX",
      `the number at character ${index + 1} does not have the format of ${style.locale}: write ${style.example}, or leave locale out`,
    );
  }
  const plain = written.replaceAll(style.group, "").replace(style.decimal, ".");
  return plain.padStart(text.length, "0");
}

/** Rewrites numbers that a comma could separate. @throws CalculatorError `SYNTAX` if they are ambiguous. */
function toPlainArguments(text: string, style: NumberStyle, index: number): string {
  const parts = text.split(",");
  const isSplit = parts.length > 1;
  const hasSpace = text.search(SPACES) !== -1;
  if (hasSpace || (isSplit && style.couldJoin(text))) {
    throw new CalculatorError(
      "SYNTAX",
      `the number at character ${index + 1} could be several numbers: write ; between arguments, or write the number without separators`,
    );
  }
  let at = index;
  return parts
    .map((part) => {
      const plain = toPlain(part, style, at);
      at += part.length + 1;
      return plain;
    })
    .join(",");
}
