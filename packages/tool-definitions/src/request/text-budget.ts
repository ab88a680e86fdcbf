/** How much text may still be written. Asked before the text is made, so that none is made that is thrown away. */
export interface TextBudget {
  /** @throws what the budget was made with, as soon as more was spent than there is. */
  spend(characters: number): void;
}

/**
 * @param maxCharacters - of the whole text.
 * @param exceeded - makes the error for more than that.
 */
export function createTextBudget(maxCharacters: number, exceeded: () => Error): TextBudget {
  let left = maxCharacters;
  return {
    spend(characters) {
      left -= characters;
      if (left < 0) throw exceeded();
    },
  };
}
