import type { Candidate } from "./read-candidates.ts";
import { TERM_NUMBERS } from "./sentence-terms.ts";
import { createTermWeigher } from "./term-weights.ts";

/** As many are compared with each other. */
const MAX_COMPARED = 2_000;

/**
 * Of a long text the sentences that are worth comparing: those nearest to what the whole text is about, by its parts, so
 * that none of the parts is lost.
 */
export function shortlist(candidates: readonly Candidate[], maxSentences: number): readonly Candidate[] {
  if (candidates.length <= MAX_COMPARED) return candidates;
  const weigh = createTermWeigher(candidates);
  const centre = new Float64Array(TERM_NUMBERS);
  for (const candidate of candidates) {
    const { terms, weights } = weigh(candidate.terms);
    for (const [at, term] of terms.entries()) centre[term] = (centre[term] ?? 0) + (weights[at] ?? 0);
  }
  const nearness = Float64Array.from(candidates, (candidate) => {
    const { terms, weights } = weigh(candidate.terms);
    return terms.reduce((sum, term, at) => sum + (weights[at] ?? 0) * (centre[term] ?? 0), 0);
  });
  const parts = Math.max(20, maxSentences);
  const perPart = Math.floor(MAX_COMPARED / parts);
  const length = Math.ceil(candidates.length / parts);
  const kept: Candidate[] = [];
  for (let from = 0; from < candidates.length; from += length) {
    const part = candidates.slice(from, from + length).map((candidate, at) => ({
      candidate,
      nearness: nearness[from + at] ?? 0,
    }));
    part.sort((one, other) => other.nearness - one.nearness);
    kept.push(...part.slice(0, perPart).map(({ candidate }) => candidate));
  }
  return kept.sort((one, other) => one.index - other.index);
}
