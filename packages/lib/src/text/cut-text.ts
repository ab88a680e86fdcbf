/** Returns an index in a text, or the index before it if the text would otherwise be split inside a surrogate pair. */
export function wholeAt(text: string, index: number): number {
  if (index <= 0 || index >= text.length) return index;
  return isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index)) ? index - 1 : index;
}

/** Removes a high surrogate from the end of a text: the half that is left when a pair is cut. */
export function withoutHalfAtEnd(text: string): string {
  return isHigh(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
}

/**
 * Returns the start of a text: at most this many UTF-16 code units, or one less if a surrogate pair would otherwise be
 * split.
 */
export function beginningOf(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : withoutHalfAtEnd(text.slice(0, maxCharacters));
}

/** Cuts a text to at most this many UTF-16 code units (1 or more), including the `…` that replaces the rest. */
export function cutText(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${beginningOf(text, maxCharacters - 1)}…`;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
