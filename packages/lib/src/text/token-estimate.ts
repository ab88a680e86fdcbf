/** Average number of UTF-16 code units per token in English text or JSON. Tokenizers differ. */
export const CHARACTERS_PER_TOKEN = 4;
const BYTES_PER_TOKEN = 4;

/** Estimates the number of tokens of a text from its length. The estimate is too low for scripts other than Latin. */
export function tokensOfCharacters(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/**
 * Estimates the number of tokens of a text as a quarter of its UTF-8 bytes, rounded up. This also works for scripts
 * other than Latin.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
