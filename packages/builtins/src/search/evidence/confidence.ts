import type { RankedSource } from "./rank.ts";

const WEIGHTS = { coverage: 0.5, relevance: 0.3, basis: 0.2 } as const;
/** An excerpt may leave out what matters. */
const EXCERPT = 0.4;

/**
 * How well what is shown of a source speaks to the query, 0 to 1, two decimals: half for the share of the query's terms
 * that it holds, 0.3 for its best passage against the best of all, 0.2 for having been read whole (an excerpt: 0.08).
 * It says nothing on whether the source is right.
 */
export function confidenceOf({ source, coverage, relevance }: RankedSource): number {
  const basis = source.basis === "page" ? 1 : EXCERPT;
  const confidence = WEIGHTS.coverage * coverage + WEIGHTS.relevance * relevance + WEIGHTS.basis * basis;
  return Math.round(confidence * 100) / 100;
}
