/** How much text may still be written; spent before the text is built. */
export interface TextBudget {
  /** @throws the error of the budget once more is spent than remains. */
  spend(characters: number): void;
}

/**
 * @param maxCharacters - size of the whole text.
 * @param exceeded - creates the error for a larger text.
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
