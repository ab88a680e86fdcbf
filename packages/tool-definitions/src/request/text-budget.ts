/** The length of text that may still be written. It is charged before the text is built. */
export interface TextBudget {
  /**
   * Charges the budget.
   * @throws the error of the budget if it is exceeded.
   */
  spend(characters: number): void;
}

/**
 * Creates a budget.
 * @param maxCharacters - maximum length of the complete text.
 * @param exceeded - creates the error for a longer text.
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
