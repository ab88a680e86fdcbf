// Control and format characters (among them those that turn the direction of a text, and those without a width),
// separators that look like a line break, and selectors that can carry a hidden text.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu;

/**
 * A text with everything written as `\uXXXX` that a reader could not see, or that would make it look like another one.
 * JSON stays JSON of the same value.
 */
export function toVisibleText(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    character === "\n" || character === "\t" ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join("");
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
