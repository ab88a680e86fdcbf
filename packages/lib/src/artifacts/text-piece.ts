import { wholeAt } from "../text/cut-text.ts";

/** A part of a text that begins and ends with whole characters. */
export interface TextPiece {
  readonly text: string;
  /** Where it begins, in UTF-16 code units. */
  readonly offset: number;
  /** Where the next one begins; null: nothing is left. */
  readonly nextOffset: number | null;
}

/**
 * The part of `text` at `offset`, of `length` UTF-16 code units or one less, lest it end in half a character; at least
 * one character where there is one.
 *
 * @param offset - 0 or more; beyond the end the piece is empty.
 * @param length - 1 or more.
 */
export function pieceOf(text: string, offset: number, length: number): TextPiece {
  const from = Math.min(wholeAt(text, offset), text.length);
  const first = String.fromCodePoint(text.codePointAt(from) ?? 0).length;
  const to = Math.max(Math.min(wholeAt(text, from + length), text.length), Math.min(from + first, text.length));
  return { text: text.slice(from, to), offset: from, nextOffset: to < text.length ? to : null };
}

/** The last `length` UTF-16 code units of a text, or one more, lest they begin with half a character. */
export function endOf(text: string, length: number): string {
  return text.slice(wholeAt(text, Math.max(0, text.length - length)));
}
