import type { Candidate } from "./read-candidates.ts";
import { weighTerms } from "./sentence-graph.ts";

/** As many are compared with each other. */
const MAX_COMPARED = 3_000;

/**
 * Of a long text the sentences that are worth comparing: those nearest to what the whole text is about, by its parts, so
 * that none of the parts is lost.
 */
export function shortlist(candidates: readonly Candidate[], maxSentences: number): readonly Candidate[] {
  if (candidates.length <= MAX_COMPARED) return candidates;
  const weighted = weighTerms(candidates.map(({ terms }) => terms));
  const centre = new Map<number, number>();
  for (const { terms, weights } of weighted) {
    for (const [at, term] of terms.entries()) centre.set(term, (centre.get(term) ?? 0) + (weights[at] ?? 0));
  }
  const nearness = weighted.map(({ terms, weights }) =>
    terms.reduce((sum, term, at) => sum + (weights[at] ?? 0) * (centre.get(term) ?? 0), 0),
  );
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
