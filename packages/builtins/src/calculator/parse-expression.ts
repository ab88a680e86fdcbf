import { cutText } from "@yagate/lib/text/cut-text";
import { CalculatorError } from "./calculator-error.ts";
import type { BinaryOperator, Expression } from "./expression.ts";
import { DEGREES_HINT, type Token, tokenize } from "./tokenize.ts";

const MAX_DEPTH = 100;

/**
 * The binding power of each operator on its left operand, and the minimum binding power within its right operand. `^`
 * is right-associative.
 */
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
/** The binding power of a sign: tighter than `*` and looser than `^`, so -2^2 is -4. */
const SIGN = 30;
/** The binding powers of a product without `*`, as in 2(3 + 4). */
const PRODUCT = { left: 20, right: 21 };
/** The binding power of nCr and nPr as infix operators: tighter than `*` and signs. */
const COUNTING = 35;
const COUNTINGS: ReadonlySet<string> = new Set(["ncr", "npr"]);
const ROOTS: ReadonlyMap<string, string> = new Map([
  ["√", "sqrt"],
  ["∛", "cbrt"],
]);

/**
 * Parses an expression by operator precedence (Pratt).
 *
 * @throws CalculatorError `SYNTAX`, `TOO_COMPLEX`, or an error of the tokenizer.
 */
export function parseExpression(expression: unknown): Expression {
  const tokens = tokenize(expression);
  let index = 0;
  let depth = 0;
  /** Indexes of the tokens that end a call. A token right after one of them never starts a product without `*`. */
  const callEnds = new Set<number>();

  const parsed = parse(0);
  if (peek().kind !== "end") throw unexpected(peek(), "an operator");
  return parsed;

  /**
   * Parses an operand and the operators that bind at least as tightly as `minimum`.
   *
   * @param behind - the operator whose right operand is being parsed.
   */
  function parse(minimum: number, behind?: Behind): Expression {
    deepen();
    let left = parseOperand();
    for (;;) {
      const postfix = parsePostfix(left);
      if (postfix !== undefined) {
        left = postfix;
        continue;
      }
      if (isCounting(peek())) {
        if (behind === "^" || behind === "product") throw ambiguousCounting(peek());
        if (COUNTING < minimum) break;
        left = parseCounting(left);
        continue;
      }
      if (startsProduct()) {
        if (behind === "/" || behind === "%" || behind === "^") throw ambiguousProduct(peek(), behind);
        if (PRODUCT.left < minimum) break;
        left = { kind: "binary", operator: "*", left, right: parse(PRODUCT.right, "product") };
        continue;
      }
      const infix = infixAfter(left);
      if (infix === undefined || infix.left < minimum) {
        if (behind === "/" && peek().kind === "name") throw ambiguousProduct(peek(), behind);
        break;
      }
      index += 1;
      left = { kind: "binary", operator: infix.operator, left, right: parse(infix.right, infix.operator) };
    }
    depth -= 1;
    return left;
  }

  /** Returns the infix operator that follows. After a percentage, `of` is a product: 15% of 200. */
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
    const root = token.kind === "symbol" ? ROOTS.get(token.text) : undefined;
    if (root !== undefined) return parseRoot(root);
    if (token.text === "[") return { kind: "list", items: parseItems("]") };
    if (token.text === "-") return { kind: "negate", operand: parse(SIGN) };
    if (token.text === "+") return parse(SIGN);
    if (token.text !== "(") throw unexpected(token, "a number, a function or a bracket");
    const inner = parse(0);
    if (!takeSymbol(")")) throw unexpected(peek(), "an operator or )");
    return inner;
  }

  /** Parses a root such as `√9`, `√(2 + 7)` or `√√16`, which applies only to the next operand. */
  function parseRoot(name: string): Expression {
    const first = peek();
    if (isSymbol(first, "-") || isSymbol(first, "+")) throw unexpected(first, "a number, a name or a bracket");
    deepen();
    const operand = parseOperand();
    depth -= 1;
    const after = peek();
    if (isSymbol(after, "!") || (isSymbol(after, "%") && !startsOperand(tokens[index + 1])) || isCounting(after)) {
      throw ambiguous(after, "a root before it", `${name}(…) with the complete radicand in parentheses`);
    }
    if (startsProduct()) {
      throw ambiguous(after, "a root before a product without *", `${name}(…) * …`);
    }
    return { kind: "call", name, parameters: [operand] };
  }

  /**
   * Parses `5 nCr 2`, whose right side is a single operand. A following token that could belong to this operand or to
   * the whole is an error.
   */
  function parseCounting(left: Expression): Expression {
    const { text: name } = next();
    const first = peek();
    if (isSymbol(first, "-") || isSymbol(first, "+")) throw unexpected(first, "a number, a name or a bracket");
    const right = parseOperand();
    const after = peek();
    const isPercent = isSymbol(after, "%") && !startsOperand(tokens[index + 1]);
    const isTight = isPercent || isSymbol(after, "!") || isSymbol(after, "^") || after.kind === "superscript";
    if (isTight || isCounting(after) || startsProduct()) throw ambiguousCounting(after);
    return { kind: "call", name, parameters: [left, right] };
  }

  function deepen(): void {
    depth += 1;
    if (depth <= MAX_DEPTH) return;
    throw new CalculatorError("TOO_COMPLEX", `the expression must have at most ${MAX_DEPTH} levels of nesting`);
  }

  function parseCall(name: string): Expression {
    const parameters = parseItems(")");
    callEnds.add(index - 1);
    return { kind: "call", name, parameters };
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
          "SYNTAX",
          "% before a sign is ambiguous: write a % (-b) for the remainder, or (a%) - b to subtract from a percentage",
        );
      }
      index += 1;
      return { kind: "percent", operand };
    }
    if (peek().kind === "superscript") return parseSuperscript(operand);
    if (!isSymbol(peek(), "!")) return undefined;
    if (operand.kind === "factorial" && isSymbol(tokens[index - 1], "!")) {
      throw new CalculatorError("SYNTAX", "!! is ambiguous: write (n!)! for the factorial of a factorial");
    }
    index += 1;
    return { kind: "factorial", operand };
  }

  /** Parses a superscript such as `3²`: a power that binds as tightly as a factorial. */
  function parseSuperscript(base: Expression): Expression {
    const { text } = next();
    const after = peek();
    if (isSymbol(after, "^") || isSymbol(after, "!") || after.kind === "superscript") {
      throw ambiguous(after, "a superscript before it", "the power with ^ and parentheses, as in (a^2)^b or a^(2^b)");
    }
    const exponent: Expression = { kind: "number", literal: text.replace("-", "") };
    const right: Expression = text.startsWith("-") ? { kind: "negate", operand: exponent } : exponent;
    return { kind: "binary", operator: "^", left: base, right };
  }

  /**
   * Returns whether the next token starts a product without `*`: a number or `)`, followed by `(` or π, as in 2(3 + 4),
   * (1 + 2)(3 + 4) and 2π. A name before `(` may be a function, and any name other than π may be a unit.
   */
  function startsProduct(): boolean {
    const [before, { kind, text }] = [tokens[index - 1], peek()];
    const isFactor = before?.kind === "number" || (isSymbol(before, ")") && !callEnds.has(index - 1));
    return isFactor && ((kind === "symbol" && text === "(") || (kind === "name" && text === "π"));
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

type Behind = BinaryOperator | "product";

function isCounting({ kind, text }: Token): boolean {
  return kind === "name" && COUNTINGS.has(text);
}

function ambiguousProduct(token: Token, behind: "/" | "%" | "^"): CalculatorError {
  const ways = `(a ${behind} b) * c or a ${behind} (b * c)`;
  const units = token.kind === "name" ? ", and use units only in conversions such as 5 km/h to m/s" : "";
  return ambiguous(token, `a product without * after ${behind}`, `${ways}${units}`);
}

function ambiguousCounting(token: Token): CalculatorError {
  return ambiguous(token, "nCr or nPr next to it", "nCr(5, 2) or nPr(5, 2), with complete arguments");
}

function ambiguous({ text, position }: Token, what: string, ways: string): CalculatorError {
  const shown = cutText(text, 32);
  return new CalculatorError("SYNTAX", `${shown} at character ${position}: ${what} is ambiguous; write ${ways}`);
}

function isSymbol(token: Token | undefined, text: string): boolean {
  return token?.kind === "symbol" && token.text === text;
}

/**
 * Returns whether the token after `%` makes it a remainder operator: a number, a name, a string, `(` or `[` does. A
 * sign does not: 10% - 3 is a tenth minus 3.
 */
function startsOperand(token: Token | undefined): boolean {
  if (token?.kind === "symbol") return token.text === "(" || token.text === "[";
  return token !== undefined && token.kind !== "end" && token.text !== "of";
}

/**
 * Returns whether a `%` before a sign is ambiguous: `10 % -3` looks like a remainder and `10% - 3` does not, although
 * only the spaces differ.
 */
function isAmbiguousPercent(percent: Token, sign: Token | undefined, operand: Token | undefined): boolean {
  if (!percent.isAfterSpace || sign === undefined || operand === undefined) return false;
  return (isSymbol(sign, "-") || isSymbol(sign, "+")) && !operand.isAfterSpace;
}

function hintAt(kind: Token["kind"], text: string): string {
  if (kind === "symbol" && text === ",")
    return "; write numbers without thousands separators, or set locale to one that uses these separators";
  if (kind === "symbol" && ROOTS.has(text)) return "; write * to multiply, or cbrt(…) for a cube root";
  if (kind === "text" || (kind === "symbol" && text !== "(")) return "";
  if (/^(?:deg|degs|degrees?)$/.test(text)) return `; ${DEGREES_HINT}`;
  return "; write * to multiply, and use units only in conversions such as 5 km/h to m/s";
}

function unexpected({ kind, text, position }: Token, expected: string): CalculatorError {
  if (kind === "end") return new CalculatorError("SYNTAX", `expected ${expected}, but the expression ends`);
  const shown = cutText(text, 32);
  const hint = hintAt(kind, text);
  return new CalculatorError("SYNTAX", `expected ${expected} at character ${position}, not ${shown}${hint}`);
}
