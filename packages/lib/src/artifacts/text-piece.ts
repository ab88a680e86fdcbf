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
  const to = Math.max(wholeAt(text, from + length), Math.min(from + (isPairAt(text, from) ? 2 : 1), text.length));
  return { text: text.slice(from, to), offset: from, nextOffset: to < text.length ? to : null };
}

/** The last `length` UTF-16 code units of a text, or one more, lest they begin with half a character. */
export function endOf(text: string, length: number): string {
  return text.slice(wholeAt(text, Math.max(0, text.length - length)));
}

/** The place itself, or the one before it in the middle of a pair. */
function wholeAt(text: string, index: number): number {
  if (index >= text.length) return text.length;
  return index > 0 && isPairAt(text, index - 1) ? index - 1 : index;
}

function isPairAt(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  const low = text.charCodeAt(index + 1);
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}
