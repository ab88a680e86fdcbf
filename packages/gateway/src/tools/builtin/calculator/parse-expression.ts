import { CalculatorError } from "./calculator-error.ts";
import type { BinaryOperator, Expression } from "./expression.ts";
import { DEGREES_HINT, type Token, tokenize } from "./tokenize.ts";

const MAX_DEPTH = 100;

/** How tightly an operator holds its left operand, and what its right one must exceed: `^` groups from the right. */
const OPERATORS: ReadonlyMap<
  string,
  { readonly operator: BinaryOperator; readonly left: number; readonly right: number }
> = new Map([
  ["+", { operator: "+", left: 10, right: 11 }],
  ["-", { operator: "-", left: 10, right: 11 }],
  ["*", { operator: "*", left: 20, right: 21 }],
  ["/", { operator: "/", left: 20, right: 21 }],
  ["%", { operator: "%", left: 20, right: 21 }],
  ["^", { operator: "^", left: 40, right: 40 }],
]);
/** Tighter than `*`, looser than `^`: -2^2 is -4. */
const SIGN = 30;

/**
 * Parses an expression by operator precedence (Pratt).
 *
 * @throws CalculatorError `syntax`, `too_complex`, and those of the tokenizer.
 */
export function parseExpression(expression: unknown): Expression {
  const tokens = tokenize(expression);
  let index = 0;
  let depth = 0;

  const parsed = parse(0);
  if (peek().kind !== "end") throw unexpected(peek(), "an operator");
  return parsed;

  function parse(minimum: number): Expression {
    depth += 1;
    if (depth > MAX_DEPTH) {
      throw new CalculatorError("too_complex", `the expression must nest at most ${MAX_DEPTH} levels deep`);
    }
    let left = parseOperand();
    for (;;) {
      const postfix = parsePostfix(left);
      if (postfix !== undefined) {
        left = postfix;
        continue;
      }
      const infix = infixAfter(left);
      if (infix === undefined || infix.left < minimum) break;
      index += 1;
      left = { kind: "binary", operator: infix.operator, left, right: parse(infix.right) };
    }
    depth -= 1;
    return left;
  }

  /** `of` is a product behind a percentage: 15% of 200. */
  function infixAfter(left: Expression) {
    const { kind, text } = peek();
    if (kind === "name" && text === "of" && left.kind === "percent") return OPERATORS.get("*");
    return kind === "symbol" ? OPERATORS.get(text) : undefined;
  }

  function parseOperand(): Expression {
    const token = next();
    if (token.kind === "number") return { kind: "number", literal: token.text };
    if (token.kind === "name") {
      return takeSymbol("(") ? parseCall(token.text) : { kind: "constant", name: token.text };
    }
    if (token.kind === "text") return { kind: "text", text: token.text };
    if (token.text === "[") return { kind: "list", items: parseItems("]") };
    if (token.text === "-") return { kind: "negate", operand: parse(SIGN) };
    if (token.text === "+") return parse(SIGN);
    if (token.text !== "(") throw unexpected(token, "a number, a function or a bracket");
    const inner = parse(0);
    if (!takeSymbol(")")) throw unexpected(peek(), "an operator or )");
    return inner;
  }

  function parseCall(name: string): Expression {
    return { kind: "call", name, parameters: parseItems(")") };
  }

  function parseItems(end: ")" | "]"): readonly Expression[] {
    const items: Expression[] = [];
    if (takeSymbol(end)) return items;
    do items.push(parse(0));
    while (takeSymbol(","));
    if (!takeSymbol(end)) throw unexpected(peek(), `an operator, a comma or ${end}`);
    return items;
  }

  function parsePostfix(operand: Expression): Expression | undefined {
    if (isSymbol(peek(), "%") && !startsOperand(tokens[index + 1])) {
      if (isAmbiguousPercent(peek(), tokens[index + 1], tokens[index + 2])) {
        throw new CalculatorError(
          "syntax",
          "% before a sign is ambiguous: write a % (-b) for the remainder, or (a%) - b to subtract from a percentage",
        );
      }
      index += 1;
      return { kind: "percent", operand };
    }
    if (!isSymbol(peek(), "!")) return undefined;
    if (operand.kind === "factorial" && isSymbol(tokens[index - 1], "!")) {
      throw new CalculatorError("syntax", "!! is ambiguous: write (n!)! for the factorial of a factorial");
    }
    index += 1;
    return { kind: "factorial", operand };
  }

  function peek(): Token {
    return tokens[index] ?? { kind: "end", text: "", position: 1, isAfterSpace: false };
  }

  function next(): Token {
    const token = peek();
    index += 1;
    return token;
  }

  function takeSymbol(text: string): boolean {
    if (!isSymbol(peek(), text)) return false;
    index += 1;
    return true;
  }
}

function isSymbol(token: Token | undefined, text: string): boolean {
  return token?.kind === "symbol" && token.text === text;
}

/** After `%`, a number, a name, a text or a bracket makes it a remainder; a sign does not: 10% - 3 takes 3 from a tenth. */
function startsOperand(token: Token | undefined): boolean {
  if (token?.kind === "symbol") return token.text === "(" || token.text === "[";
  return token !== undefined && token.kind !== "end" && token.text !== "of";
}

/** `10 % -3` looks like a remainder, and `10% - 3` does not: spaces are all that tells them apart. */
function isAmbiguousPercent(percent: Token, sign: Token | undefined, operand: Token | undefined): boolean {
  if (!percent.isAfterSpace || sign === undefined || operand === undefined) return false;
  return (isSymbol(sign, "-") || isSymbol(sign, "+")) && !operand.isAfterSpace;
}

function hintAt(kind: Token["kind"], text: string): string {
  if (kind === "symbol" && text === ",") return "; write numbers without thousands separators";
  if (kind === "text" || (kind === "symbol" && text !== "(")) return "";
  if (/^(?:deg|degs|degrees?)$/.test(text)) return `; ${DEGREES_HINT}`;
  return "; write * to multiply, and units only in conversions such as 5 km/h to m/s";
}

function unexpected({ kind, text, position }: Token, expected: string): CalculatorError {
  if (kind === "end") return new CalculatorError("syntax", `expected ${expected}, but the expression ends`);
  const shown = text.length > 32 ? `${text.slice(0, 31)}…` : text;
  const hint = hintAt(kind, text);
  return new CalculatorError("syntax", `expected ${expected} at character ${position}, not ${shown}${hint}`);
}
