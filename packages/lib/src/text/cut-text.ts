/** A position in a text, or the one before it if that splits a surrogate pair. */
export function wholeAt(text: string, index: number): number {
  if (index <= 0 || index >= text.length) return index;
  return isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index)) ? index - 1 : index;
}

/** A text without a lone surrogate at its end. */
export function withoutHalfAtEnd(text: string): string {
  return isHigh(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
}

/** The start of a text, of at most this many UTF-16 code units: one fewer where it would split a surrogate pair. */
export function beginningOf(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : withoutHalfAtEnd(text.slice(0, maxCharacters));
}

/** A text of at most this many UTF-16 code units, 1 or more; `…` replaces the rest. */
export function cutText(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${beginningOf(text, maxCharacters - 1)}…`;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
