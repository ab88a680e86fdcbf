import type { JsonValue, ToolErrorRecord } from "@yagate/protocol";

/** Longest result that a model reads, in characters; the rest is cut with a visible marker. */
export const MAX_RESULT_CHARACTERS = 50_000;

// Providers count differently; four characters a token is the usual estimate for English and JSON.
const CHARACTERS_PER_TOKEN = 4;

/** Tokens that a result will cost the model, estimated the same way on every replica. */
export function estimateResultTokens(result: JsonValue): number {
  return tokensOf(Math.min(JSON.stringify(result).length, MAX_RESULT_CHARACTERS));
}

/** Tokens of what the model reads of a failure: all but what is the log's. */
export function estimateErrorTokens({ code, message, hint, retryable, outcome, details }: ToolErrorRecord): number {
  return tokensOf(JSON.stringify({ error: { code, message, hint, retryable, outcome, details } }).length);
}

/** Tokens of a text that the model reads as it stands. */
export function estimateTokens(text: string): number {
  return tokensOf(text.length);
}

function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
