import type { RankedSource } from "./rank.ts";

const WEIGHTS = { coverage: 0.5, relevance: 0.3, basis: 0.2 } as const;
/** The value of an excerpt relative to a page that was read, lower because an excerpt may omit what matters. */
const EXCERPT = 0.4;

/**
 * Rates how well the selected passages of a source match the query, from 0 to 1 with two decimals. Three parts add up:
 * the share of query terms that they contain (up to 0.5), the score of the best passage relative to the best of all
 * sources (up to 0.3), and 0.2 if the page was read, or 0.08 for an excerpt. The value does not indicate whether the
 * source is correct.
 */
export function confidenceOf({ source, coverage, relevance }: RankedSource): number {
  const basis = source.basis === "page" ? 1 : EXCERPT;
  const confidence = WEIGHTS.coverage * coverage + WEIGHTS.relevance * relevance + WEIGHTS.basis * basis;
  return Math.round(confidence * 100) / 100;
}
