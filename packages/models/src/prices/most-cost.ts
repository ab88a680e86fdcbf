import type { ModelPrice } from "./price-table.ts";

/** What a question is made of, as far as it is known before it is asked. */
export interface QuestionSize {
  /** Of all its texts, in UTF-8. */
  readonly inputBytes: number;
  readonly maxOutputTokens: number;
}

/** Rates are for so many. */
const TOKENS_PER_RATE = 1_000_000;
// Providers count differently. In English a token is about four bytes, in other scripts it may be one letter of three.
const BYTES_PER_TOKEN = 3;
/** What a request holds beside its texts. */
const OWN_TOKENS = 50;

/** What a question costs at most in USD, by the highest rates of its model. */
export function mostCost({ inputBytes, maxOutputTokens }: QuestionSize, price: ModelPrice): number {
  const rates = [price, ...(price.longPrompts ?? [])];
  const input = Math.max(...rates.map(({ input, cacheWrite = 0 }) => Math.max(input, cacheWrite)));
  const output = Math.max(...rates.map((rate) => rate.output));
  return (mostInputTokens(inputBytes) * input + maxOutputTokens * output) / TOKENS_PER_RATE;
}

/** How many tokens a question uses at most, as an estimate. */
export function mostTokens({ inputBytes, maxOutputTokens }: QuestionSize): number {
  return mostInputTokens(inputBytes) + maxOutputTokens;
}

function mostInputTokens(inputBytes: number): number {
  return Math.ceil(inputBytes / BYTES_PER_TOKEN) + OWN_TOKENS;
}
