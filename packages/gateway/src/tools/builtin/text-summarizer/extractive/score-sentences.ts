import type { Candidate } from "./read-candidates.ts";

/** What scores are made of. */
export interface Scoring {
  readonly candidates: readonly Candidate[];
  readonly centrality: Float64Array;
  readonly headings: readonly (readonly number[])[];
  readonly sentenceCount: number;
}

/** How much each sign counts: what did best on the development half of the texts of `test/bench/summaries`. */
const WEIGHTS = { centrality: 1, position: 0.8, opening: 0.15, title: 0.8, heading: 0.1, item: -0.3, open: -0.2 };
const FEW_WORDS = 6;
const MANY_WORDS = 50;

/** How much each sentence says of the text; higher is more. */
export function scoreSentences({ candidates, centrality, headings, sentenceCount }: Scoring): readonly number[] {
  const highest = Math.max(...centrality, Number.MIN_VALUE);
  const title = new Set(headings[0]);
  return candidates.map((candidate, at) => {
    const own = new Set(candidate.terms);
    const heading = candidate.section > 1 ? new Set(headings[candidate.section - 1]) : undefined;
    const score =
      WEIGHTS.centrality * ((centrality[at] ?? 0) / highest) +
      WEIGHTS.position * Math.exp((-5 * candidate.index) / Math.max(sentenceCount, 20)) +
      (candidate.indexInBlock === 0 ? WEIGHTS.opening : 0) +
      WEIGHTS.title * shareOf(title, own) +
      (heading === undefined ? 0 : WEIGHTS.heading * shareOf(heading, own)) +
      (candidate.isListItem ? WEIGHTS.item : 0) +
      (candidate.isOpen ? WEIGHTS.open : 0);
    return score * lengthFactor(candidate);
  });
}

function shareOf(wanted: ReadonlySet<number>, own: ReadonlySet<number>): number {
  let found = 0;
  for (const term of wanted) if (own.has(term)) found += 1;
  return wanted.size === 0 ? 0 : found / wanted.size;
}

/** A few words say little alone, and a hundred are no summary. */
function lengthFactor({ wordCount }: Candidate): number {
  if (wordCount < FEW_WORDS) return wordCount / FEW_WORDS / 2;
  return wordCount > MANY_WORDS ? MANY_WORDS / wordCount : 1;
}
