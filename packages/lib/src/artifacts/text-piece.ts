import { wholeAt } from "../text/cut-text.ts";

/** A part of a text that starts and ends with whole characters. */
export interface TextPiece {
  readonly text: string;
  /** Start offset, in UTF-16 code units. */
  readonly offset: number;
  /** Start offset of the next piece; null at the end. */
  readonly nextOffset: number | null;
}

/**
 * The piece of `text` at `offset`, of `length` UTF-16 code units, or one less to avoid half a character; at least one
 * character if there is one.
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

/** The last `length` UTF-16 code units of a text, or one more to avoid half a character. */
export function endOf(text: string, length: number): string {
  return text.slice(wholeAt(text, Math.max(0, text.length - length)));
}
