import { SyntaxFault } from "./syntax-fault.ts";
import { positionAt } from "./text-position.ts";

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

const CONTROL_ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x08, "\\b"],
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0c, "\\f"],
  [0x0d, "\\r"],
]);

/** Returns the end of the number that starts at `start`. @throws SyntaxFault for an invalid number. */
export function endOfNumber(text: string, start: number): number {
  NUMBER.lastIndex = start;
  const end = NUMBER.test(text) ? NUMBER.lastIndex : start;
  const next = text.charAt(end);
  const read = text.slice(start, end);
  if (end === start) {
    const hint = /I/.test(text.charAt(start + 1))
      ? "JSON does not have infinity: use null or a string"
      : "put digits after a minus sign, as in -1 or -0.5";
    throw new SyntaxFault(start + 1, "a digit", { hint });
  }
  if (/^-?0$/.test(read) && /[0-9]/.test(next)) {
    throw new SyntaxFault(end, "a number without leading zeros", {
      hint: "remove the leading zeros, or put the digits in double quotes if they are not a quantity",
    });
  }
  if (/^-?0$/.test(read) && /[xXoObB]/.test(next)) {
    throw new SyntaxFault(end, "the end of the number", { hint: "JSON only allows decimal numbers" });
  }
  if (next === ".") {
    if (/[.eE]/.test(read)) {
      throw new SyntaxFault(end, "the end of the number", {
        hint: "a number can have one decimal point: put it in double quotes if it is a version, a date or an address",
      });
    }
    throw new SyntaxFault(end + 1, "a digit", { hint: "put digits after a decimal point, as in 1.5" });
  }
  if (/[eE]/.test(next) && !/[eE]/.test(read)) {
    const digits = /[+-]/.test(text.charAt(end + 1)) ? end + 2 : end + 1;
    throw new SyntaxFault(digits, "a digit", { hint: "put digits after an exponent sign, as in 1.5e3" });
  }
  if (next === "_" || next === "'") {
    throw new SyntaxFault(end, "the end of the number", { hint: "JSON does not allow digit separators" });
  }
  return end;
}

/**
 * Returns the end of the string that starts at `start`, after its closing quote. @throws SyntaxFault for an invalid
 * string.
 */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) return at + 1;
    if (unit === 0x5c) {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) throw badEscape(text, at);
      at = ESCAPE.lastIndex - 1;
    } else if (unit < 0x20) {
      const written = CONTROL_ESCAPES.get(unit) ?? `\\u${unit.toString(16).padStart(4, "0")}`;
      const isLineEnd = unit === 0x0a || unit === 0x0d;
      throw new SyntaxFault(
        at,
        isLineEnd ? "the closing quote of the string" : "a character that a string may contain",
        {
          found: isLineEnd ? "the end of the line" : `a control character, ${written}`,
          hint: isLineEnd
            ? "close the string on its line; write a line break inside a string as \\n"
            : `write it as ${written}`,
        },
      );
    }
  }
  const { line, column } = positionAt(text, start);
  throw new SyntaxFault(text.length, "the closing quote of the string", {
    hint: `the string that starts in line ${line}, column ${column} is not closed: the text is cut off, or a quote is missing`,
  });
}

function badEscape(text: string, at: number): SyntaxFault {
  const letter = text.charAt(at + 1);
  if (letter === "u") {
    return new SyntaxFault(at, "four hexadecimal digits after \\u", { found: JSON.stringify(text.slice(at, at + 6)) });
  }
  return new SyntaxFault(at, 'an escape: \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four hexadecimal digits', {
    found: JSON.stringify(text.slice(at, at + 2)),
    hint: letter === "'" ? "do not escape a single quote" : "write a backslash as \\\\",
  });
}
