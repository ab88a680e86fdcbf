import { estimateTokens } from "@yagate/lib/text/token-estimate";

/** Tokens that an item needs in addition to its text, for its number and quotes. */
const TOKENS_BESIDE = 12;

/**
 * Groups consecutive items into chunks that fit a budget. An item that exceeds the budget becomes a chunk of its own.
 *
 * @param maxTokens - maximum number of tokens in one chunk.
 */
export function toChunks<Item extends { readonly text: string }>(
  items: readonly Item[],
  maxTokens: number,
): readonly (readonly Item[])[] {
  const chunks: Item[][] = [];
  let left = 0;
  for (const item of items) {
    const tokens = estimateTokens(item.text) + TOKENS_BESIDE;
    const last = chunks.at(-1);
    if (last === undefined || tokens > left) {
      chunks.push([item]);
      left = maxTokens - tokens;
    } else {
      last.push(item);
      left -= tokens;
    }
  }
  return chunks;
}
