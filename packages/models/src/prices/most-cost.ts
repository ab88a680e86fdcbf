import type { ModelPrice } from "./price-table.ts";

/** The parts of a request that are known before it is sent. */
export interface QuestionSize {
  /** Total size of all texts in the request, in bytes of UTF-8. */
  readonly inputBytes: number;
  readonly maxOutputTokens: number;
}

/** The number of tokens to which a rate applies. */
const TOKENS_PER_RATE = 1_000_000;
// Tokenizers differ. In English, a token is about four bytes; in other scripts, it may be a single letter of three
// bytes.
const BYTES_PER_TOKEN = 3;
/** Number of tokens that a request needs in addition to its texts. */
const OWN_TOKENS = 50;

/** Returns the maximum cost of a request in USD, at the highest rates for its model. */
export function mostCost({ inputBytes, maxOutputTokens }: QuestionSize, price: ModelPrice): number {
  const rates = [price, ...(price.longPrompts ?? [])];
  const input = Math.max(...rates.map(({ input, cacheWrite = 0 }) => Math.max(input, cacheWrite)));
  const output = Math.max(...rates.map((rate) => rate.output));
  return (mostInputTokens(inputBytes) * input + maxOutputTokens * output) / TOKENS_PER_RATE;
}

/** Estimates the maximum number of tokens in a request and its reply. */
export function mostTokens({ inputBytes, maxOutputTokens }: QuestionSize): number {
  return mostInputTokens(inputBytes) + maxOutputTokens;
}

function mostInputTokens(inputBytes: number): number {
  return Math.ceil(inputBytes / BYTES_PER_TOKEN) + OWN_TOKENS;
}
