/** A place in a text, or the one before it if that is between the two halves of a character. */
export function wholeAt(text: string, index: number): number {
  if (index <= 0 || index >= text.length) return index;
  return isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index)) ? index - 1 : index;
}

/** A text without the half of a character that it may end with. */
export function withoutHalfAtEnd(text: string): string {
  return isHigh(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
}

/** The beginning of a text, of at most so many UTF-16 code units: one fewer where it would end in half a character. */
export function beginningOf(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : withoutHalfAtEnd(text.slice(0, maxCharacters));
}

/** A text of at most so many UTF-16 code units, 1 or more: `…` stands in the place of what is cut. */
export function cutText(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${beginningOf(text, maxCharacters - 1)}…`;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
