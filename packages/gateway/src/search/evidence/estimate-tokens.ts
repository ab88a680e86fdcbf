const BYTES_PER_TOKEN = 4;

/** About as many tokens as models make of a text: a quarter of its bytes in UTF-8, rounded up. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text, "utf8") / BYTES_PER_TOKEN);
}
