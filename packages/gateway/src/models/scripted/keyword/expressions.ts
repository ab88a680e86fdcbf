import { NUMBER_WORDS } from "./numbers.ts";
import { blank, type Span } from "./span.ts";

/** A calculation that the question asks for. */
export interface Expression {
  readonly text: string;
  /** False for what may as well be a range or a date, such as `3-5` or `24/7`. */
  readonly isCertain: boolean;
}

const MAX_LENGTH = 500;
const FUNCTIONS = "sqrt|abs|round|floor|ceil|min|max|ln|log|exp|sin|cos|tan";
const NUMBER = String.raw`\d+(?:\.\d+)?`;

// Applied in this order: longer phrases before the words in them.
const SPOKEN: readonly (readonly [pattern: RegExp, written: string])[] = [
  [/(?<=\d),(?=\d{3}(?!\d))/g, ""],
  [/[$€£¥](?=\d)/g, ""],
  ...NUMBER_WORDS.map((word, value) => [new RegExp(`\\b${word}\\b`, "gi"), String(value)] as const),
  [/×|·/g, "*"],
  [/÷/g, "/"],
  [/[−–]/g, "-"],
  [/(?<=\d)\s*(?:per ?cent)\b/gi, "%"],
  [/%\s+of\b/gi, "% *"],
  [new RegExp(String.raw`\bsquare root of (${NUMBER})`, "gi"), "sqrt($1)"],
  [new RegExp(String.raw`\bsum of (${NUMBER}) and (${NUMBER})`, "gi"), "$1 + $2"],
  [new RegExp(String.raw`\bproduct of (${NUMBER}) and (${NUMBER})`, "gi"), "$1 * $2"],
  [/\bto the power of\b/gi, "^"],
  [/\s*\bsquared\b/gi, "^2"],
  [/\s*\bcubed\b/gi, "^3"],
  [/\bmultiplied by\b|\btimes\b/gi, "*"],
  [/\bdivided by\b/gi, "/"],
  [/(?<=\d\s*)x(?=\s*\d)/gi, "*"],
  [/\bplus\b/gi, "+"],
  [/\bminus\b/gi, "-"],
  [/\bmodulo\b|\bmod\b/gi, "%"],
];

/**
 * Finds calculations, written in figures or spoken: `(2+3)*4`, `12% of 80 plus 7`.
 *
 * @param taken - pieces that look like one and are none: ids, dates, times, addresses.
 */
export function findExpressions(text: string, taken: readonly Span[]): readonly Expression[] {
  const plain = blank(text, taken).replace(/\s+/g, " ");
  const written = SPOKEN.reduce((result, [pattern, form]) => result.replace(pattern, form), plain);
  const candidates = written.match(new RegExp(String.raw`(?:\b(?:${FUNCTIONS})(?=\()|[\d.()+\-*/^%,\s])+`, "gi")) ?? [];
  return candidates.flatMap((candidate) => {
    const trimmed = candidate.length > MAX_LENGTH ? "" : trim(candidate);
    return isCalculation(trimmed) ? [{ text: trimmed, isCertain: !/^\d+[-/]\d+$/.test(trimmed) }] : [];
  });
}

function trim(candidate: string): string {
  const core = candidate.replace(/\s+/g, " ").replace(/^[\s*/^%,).]+|[\s+\-*/^,(.]+$/g, "");
  return core.replace(/^\+\s*|^-\s+/, "");
}

/** Whether a text is a whole calculation with something to calculate. */
function isCalculation(text: string): boolean {
  const tokens = text.match(new RegExp(String.raw`${NUMBER}|\.\d+|${FUNCTIONS}|[()+\-*/^%,]|[^\s]`, "gi")) ?? [];
  let position = 0;
  let operations = 0;
  const peek = () => tokens[position] ?? "";
  const startsOperand = (token: string) => /^[\d.(a-z]/i.test(token);

  const sum = (): boolean => {
    if (!operand()) return false;
    while (/^[+\-*/^%]$/.test(peek())) {
      const isPercent = peek() === "%" && !startsOperand(tokens[position + 1] ?? "");
      position++;
      operations++;
      if (!isPercent && !operand()) return false;
    }
    return true;
  };
  const operand = (): boolean => {
    while (/^[+-]$/.test(peek())) position++;
    const token = peek();
    position++;
    if (/^[\d.]/.test(token)) return true;
    if (/^[a-z]+$/i.test(token)) {
      operations++;
      return peek() === "(" && list();
    }
    position--;
    return token === "(" && list();
  };
  const list = (): boolean => {
    position++;
    if (!sum()) return false;
    while (peek() === ",") {
      position++;
      if (!sum()) return false;
    }
    return tokens[position++] === ")";
  };
  // A percentage alone asks for nothing.
  return sum() && position === tokens.length && operations > 0 && !/^[\d.]+\s*%$/.test(text);
}
