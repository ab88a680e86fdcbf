/** A position in a text, counted as editors do. */
export interface TextPosition {
  /** Line number, starting at 1. */
  readonly line: number;
  /** Column in UTF-16 code units, as in JavaScript and most editors, starting at 1. */
  readonly column: number;
}

const EXCERPT_BEFORE = 50;
const EXCERPT_AFTER = 30;

/** Returns the line and column of an offset. A line ends with a line feed, a carriage return, or both. */
export function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  const ends = before.match(/\r\n|\r(?!\n)|\n/g)?.length ?? 0;
  return { line: ends + 1, column: offset - startOfLine(before) + 1 };
}

/** Returns the line around an offset, shortened on both sides, with a marker under the position. */
export function excerptAt(text: string, offset: number): string {
  const start = startOfLine(text.slice(0, offset));
  const rest = text.slice(offset, offset + EXCERPT_AFTER + 1).split(/[\r\n]/, 1)[0] ?? "";
  const from = Math.max(start, offset - EXCERPT_BEFORE);
  const prefix = from > start ? "…" : "";
  const suffix = rest.length > EXCERPT_AFTER ? "…" : "";
  const shown = (piece: string) => piece.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\ufeff]/gu, " ");
  const before = prefix + shown(text.slice(from, offset));
  return `${before}${shown(rest.slice(0, EXCERPT_AFTER))}${suffix}\n${" ".repeat(before.length)}^`;
}

function startOfLine(before: string): number {
  return Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1;
}
