import type { JsonValue } from "@yagate/protocol";

/** Longest result that a model reads, in characters; the rest is cut with a visible marker. */
export const MAX_RESULT_CHARACTERS = 50_000;

// Providers count differently; four characters a token is the usual estimate for English and JSON.
const CHARACTERS_PER_TOKEN = 4;

/** Tokens that a result will cost the model, estimated the same way on every replica. */
export function estimateResultTokens(result: JsonValue | undefined): number {
  const length = result === undefined ? 0 : JSON.stringify(result).length;
  return Math.ceil(Math.min(length, MAX_RESULT_CHARACTERS) / CHARACTERS_PER_TOKEN);
}
