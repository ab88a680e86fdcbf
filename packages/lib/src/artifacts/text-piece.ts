import { wholeAt } from "../text/cut-text.ts";

/** A part of a text that does not start or end inside a character. */
export interface TextPiece {
  readonly text: string;
  /** Start offset, in UTF-16 code units. */
  readonly offset: number;
  /** Start offset of the next part; null at the end of the text. */
  readonly nextOffset: number | null;
}

/**
 * Returns the part of a text that starts at `offset`. It is `length` UTF-16 code units long, or one less if its last
 * character would otherwise be split, but contains at least one character unless the text has ended.
 *
 * @param offset - 0 or more; past the end of the text, the part is empty.
 * @param length - 1 or more.
 */
export function pieceOf(text: string, offset: number, length: number): TextPiece {
  const from = Math.min(wholeAt(text, offset), text.length);
  const first = String.fromCodePoint(text.codePointAt(from) ?? 0).length;
  const to = Math.max(Math.min(wholeAt(text, from + length), text.length), Math.min(from + first, text.length));
  return { text: text.slice(from, to), offset: from, nextOffset: to < text.length ? to : null };
}

/**
 * Returns the last `length` UTF-16 code units of a text, or one more if the first character would otherwise be split.
 */
export function endOf(text: string, length: number): string {
  return text.slice(wholeAt(text, Math.max(0, text.length - length)));
}
