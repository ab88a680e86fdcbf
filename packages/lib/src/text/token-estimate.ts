/** UTF-16 code units of English text or JSON that make a token, on average. Providers count differently. */
export const CHARACTERS_PER_TOKEN = 4;
const BYTES_PER_TOKEN = 4;

/** Estimates the tokens of a text of which only the length is known. Too low for scripts other than Latin. */
export function tokensOfCharacters(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** Estimates the tokens of a text: a quarter of its bytes in UTF-8, rounded up, which also holds for other scripts. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
