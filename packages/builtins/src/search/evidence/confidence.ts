import type { RankedSource } from "./rank.ts";

const WEIGHTS = { coverage: 0.5, relevance: 0.3, basis: 0.2 } as const;
/** An excerpt may omit what matters. */
const EXCERPT = 0.4;

/**
 * How well the shown part of a source matches the query, 0 to 1 with two decimals: 0.5 for the share of query terms
 * that it contains, 0.3 for its best passage relative to the best of all, 0.2 for a page that was read completely (an
 * excerpt: 0.08). It does not say whether the source is correct.
 */
export function confidenceOf({ source, coverage, relevance }: RankedSource): number {
  const basis = source.basis === "page" ? 1 : EXCERPT;
  const confidence = WEIGHTS.coverage * coverage + WEIGHTS.relevance * relevance + WEIGHTS.basis * basis;
  return Math.round(confidence * 100) / 100;
}
