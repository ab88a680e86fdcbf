import { CalculatorError } from "./calculator-error.ts";

/** A token of an expression. */
export interface Token {
  readonly kind: "number" | "name" | "text" | "symbol" | "superscript" | "end";
  /**
   * Names are in lower case, symbols and superscripts in ASCII, and strings without their quotes. Empty for the end
   * token.
   */
  readonly text: string;
  /** The start position in the expression, counted from 1. */
  readonly position: number;
  readonly isAfterSpace: boolean;
}

/** The hint for an expression that contains a degree sign. */
export const DEGREES_HINT = "angles are in radians: write sin(radians(90)) for the sine of 90 degrees";

export const MAX_CHARACTERS = 4_096;
const MAX_TOKENS = 2_000;

const TOKEN =
  /\s*(?:(?<number>(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)|(?<name>n[cp]r(?=\d)|[a-z_π][a-z0-9_]*)|(?<quoted>"[^"\\]*"|'[^'\\]*'|“[^”\\]*”)|(?<superscript>⁻?[⁰¹²³⁴-⁹]+)|(?<symbol>\*\*|[-+*/%^()[\],!−×·÷√∛]))/iy;

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Symbols that models write in place of ASCII symbols. */
const SAME_SYMBOLS: ReadonlyMap<string, string> = new Map([
  ["**", "^"],
  ["−", "-"],
  ["×", "*"],
  ["·", "*"],
  ["÷", "/"],
]);

/**
 * Splits an expression into numbers, names and symbols, followed by an end token.
 *
 * @throws CalculatorError `INVALID_TYPE`, `INPUT_TOO_LONG`, `TOO_COMPLEX`, `SYNTAX`.
 */
export function tokenize(expression: unknown): readonly Token[] {
  if (typeof expression !== "string") throw new CalculatorError("INVALID_TYPE", "the expression must be a string");
  if (expression.length > MAX_CHARACTERS) {
    throw new CalculatorError("INPUT_TOO_LONG", `the expression must have at most ${MAX_CHARACTERS} characters`);
  }
  const tokens: Token[] = [];
  const end = expression.trimEnd().length;
  let at = 0;
  while (at < end) {
    const token = readToken(expression, at);
    tokens.push(token.token);
    at = token.end;
    if (tokens.length > MAX_TOKENS) {
      throw new CalculatorError(
        "TOO_COMPLEX",
        `the expression must have at most ${MAX_TOKENS} numbers, names and symbols`,
      );
    }
  }
  return [...tokens, { kind: "end", text: "", position: end + 1, isAfterSpace: end < expression.length }];
}

function readToken(expression: string, at: number): { token: Token; end: number } {
  TOKEN.lastIndex = at;
  const match = TOKEN.exec(expression);
  if (match === null) {
    const start = at + (/^\s*/.exec(expression.slice(at))?.[0].length ?? 0);
    const character = String.fromCodePoint(expression.codePointAt(start) ?? 0);
    const hint = character === "°" ? `; ${DEGREES_HINT}` : "";
    throw new CalculatorError("SYNTAX", `unexpected ${JSON.stringify(character)} at character ${start + 1}${hint}`);
  }
  const { number, name, quoted, superscript, symbol = "" } = match.groups ?? {};
  const end = TOKEN.lastIndex;
  const position = end - (number ?? name ?? quoted ?? superscript ?? symbol).length + 1;
  const place = { position, isAfterSpace: position - 1 > at };
  if (number !== undefined) return { token: { kind: "number", text: number.replace(/^0+(?=\d)/, ""), ...place }, end };
  if (name !== undefined) return { token: { kind: "name", text: name.toLowerCase(), ...place }, end };
  if (quoted !== undefined) return { token: { kind: "text", text: quoted.slice(1, -1), ...place }, end };
  if (superscript !== undefined) return { token: { kind: "superscript", text: toDigits(superscript), ...place }, end };
  return { token: { kind: "symbol", text: SAME_SYMBOLS.get(symbol) ?? symbol, ...place }, end };
}

function toDigits(superscript: string): string {
  return [...superscript].map((one) => (one === "⁻" ? "-" : SUPERSCRIPTS.indexOf(one))).join("");
}
