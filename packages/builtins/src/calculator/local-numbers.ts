import { CalculatorError } from "./calculator-error.ts";
import { FUNCTIONS, resolveFunctionName } from "./function-names.ts";
import { findBrackets } from "./local-brackets.ts";
import { type NumberStyle, numberStyleOf } from "./number-style.ts";

/**
 * Texts in quotes, names, numbers with what may separate their digits, brackets; an apostrophe behind a digit is none. A
 * quote without its end takes all the rest: to look for the end of each again and again would take quadratic time.
 */
const PIECE =
  /(?<quoted>"[^"]*"?|“[^”]*”?|'[^']*'?)|(?<name>[\p{L}_][\p{L}\p{N}_]*)|(?<number>\.?\d+(?:[.,'’ \u00a0\u2009\u202f]\d+)*)|(?<sign>[()[\];])/gu;
const SPACES = /[ \u00a0\u2009\u202f]/gu;
const EXPONENT = /^[eE][+-]?\d+/;

/**
 * Rewrites the numbers of an expression from how they are written in a locale, and `;` between arguments to a comma. The
 * result has the same length, so that places in messages stay right.
 *
 * @param locale - a tag of BCP 47.
 * @throws CalculatorError `SYNTAX` for a number that the locale does not write so, or that could be several.
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

/** Whether a comma can stand between arguments of the function. */
function takesSeveral(name: string | undefined): boolean {
  return name !== undefined && (FUNCTIONS.get(resolveFunctionName(name))?.arity.max ?? 2) > 1;
}

/** A number where a comma is its own for sure. */
function toPlain(text: string, style: NumberStyle, index: number): string {
  const written = text.replace(SPACES, " ").replaceAll("’", "'");
  if (!style.pattern.test(written)) {
    throw new CalculatorError(
      "SYNTAX",
      `the number at character ${index + 1} is not written as in ${style.locale}: write ${style.example}, or leave locale out`,
    );
  }
  const plain = written.replaceAll(style.group, "").replace(style.decimal, ".");
  return plain.padStart(text.length, "0");
}

/** Numbers between which a comma could stand: what would be both is refused. */
function toPlainArguments(text: string, style: NumberStyle, index: number): string {
  const parts = text.split(",");
  const isSplit = parts.length > 1;
  const hasSpace = text.search(SPACES) !== -1;
  if (hasSpace || (isSplit && style.couldJoin(text))) {
    throw new CalculatorError(
      "SYNTAX",
      `the number at character ${index + 1} could be several: write ; between arguments, or the number without separators`,
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
