import { TERM_NUMBERS } from "./sentence-terms.ts";

/** A sentence's words by number with their weights; the squares of the weights add up to 1. */
export interface WeightedTerms {
  readonly terms: readonly number[];
  readonly weights: readonly number[];
}

/** Weighs words by how often they stand in the sentence and how few others have them (TF-IDF). */
export type TermWeigher = (terms: readonly number[]) => WeightedTerms;

/** @param sentences - all that words are rare or common among. */
export function createTermWeigher(sentences: readonly { readonly terms: readonly number[] }[]): TermWeigher {
  const holders = new Uint32Array(TERM_NUMBERS);
  for (const { terms } of sentences) {
    for (const term of new Set(terms)) holders[term] = (holders[term] ?? 0) + 1;
  }
  return (all) => {
    const counts = new Map<number, number>();
    for (const term of all) counts.set(term, (counts.get(term) ?? 0) + 1);
    const terms = [...counts.keys()];
    const weights = [...counts].map(
      ([term, count]) => count * Math.log((sentences.length + 1) / ((holders[term] ?? 0) + 0.5)),
    );
    const length = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0));
    return { terms, weights: length > 0 ? weights.map((weight) => weight / length) : weights };
  };
}

/** How alike others are to a sentence, each from 0 to 1. */
export function likenessTo({ terms, weights }: WeightedTerms): (other: WeightedTerms) => number {
  const own = new Map(terms.map((term, at) => [term, weights[at] ?? 0]));
  return (other) => other.terms.reduce((sum, term, at) => sum + (own.get(term) ?? 0) * (other.weights[at] ?? 0), 0);
}
