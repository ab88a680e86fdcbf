import type { RankedSource } from "./rank.ts";

const WEIGHTS = { coverage: 0.5, relevance: 0.3, basis: 0.2 } as const;
/** The value of an excerpt, lower than that of a page because an excerpt may omit what matters. */
const EXCERPT = 0.4;

/**
 * Rates how well the shown part of a source matches the query, from 0 to 1 with two decimals. The share of query terms
 * that it contains counts 0.5, its best passage relative to the best of all sources 0.3, and a page that was read
 * completely 0.2 (an excerpt: 0.08). The value does not say whether the source is correct.
 */
export function confidenceOf({ source, coverage, relevance }: RankedSource): number {
  const basis = source.basis === "page" ? 1 : EXCERPT;
  const confidence = WEIGHTS.coverage * coverage + WEIGHTS.relevance * relevance + WEIGHTS.basis * basis;
  return Math.round(confidence * 100) / 100;
}
