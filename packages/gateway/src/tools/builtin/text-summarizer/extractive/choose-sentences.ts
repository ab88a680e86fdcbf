import type { Candidate } from "./read-candidates.ts";
import { likenessTo, type WeightedTerms } from "./term-weights.ts";

/** What is chosen from. */
export interface Choice {
  readonly candidates: readonly Candidate[];
  readonly weighted: readonly WeightedTerms[];
  readonly scores: readonly number[];
  readonly maxSentences: number;
  readonly maxCharacters: number;
}

/** How much likeness to what is chosen already takes away. */
const REDUNDANCY = 0.7;
/** So alike, and one of both is enough. */
const MAX_COSINE = 0.8;

/** The best sentences that say something new (maximal marginal relevance), in the order of the text. */
export function chooseSentences(choice: Choice): readonly Candidate[] {
  const { candidates, weighted, scores, maxSentences, maxCharacters } = choice;
  const likeness = new Float64Array(candidates.length);
  const isOut = new Uint8Array(candidates.length);
  const chosen: Candidate[] = [];
  let characters = 0;
  while (chosen.length < maxSentences) {
    let best = -1;
    let bestValue = Number.NEGATIVE_INFINITY;
    for (const [at, score] of scores.entries()) {
      const value = score - REDUNDANCY * (likeness[at] ?? 0);
      if (isOut[at] === 0 && value > bestValue) [best, bestValue] = [at, value];
    }
    const candidate = candidates[best];
    const own = weighted[best];
    if (candidate === undefined || own === undefined) break;
    isOut[best] = 1;
    const length = candidate.end - candidate.start;
    if (chosen.length > 0 && characters + length > maxCharacters) continue;
    chosen.push(candidate);
    characters += length;
    const likenessOf = likenessTo(own);
    for (const [at, terms] of weighted.entries()) {
      if (isOut[at] === 1) continue;
      const cosine = likenessOf(terms);
      likeness[at] = Math.max(likeness[at] ?? 0, cosine);
      if (cosine > MAX_COSINE) isOut[at] = 1;
    }
  }
  return chosen.sort((one, other) => one.index - other.index);
}
