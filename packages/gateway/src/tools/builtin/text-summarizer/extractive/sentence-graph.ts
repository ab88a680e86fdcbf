/** A sentence's words by number with their weights; the squares of the weights add up to 1. */
export interface WeightedTerms {
  readonly terms: readonly number[];
  readonly weights: readonly number[];
}

/** Who is like whom: for each sentence the others with more than a trace in common. */
export type SentenceGraph = readonly (readonly Edge[])[];

interface Edge {
  readonly to: number;
  /** The cosine of both, from 0 to 1. */
  readonly weight: number;
}

const MIN_COSINE = 0.05;
/** Words of more sentences than that say little of any two, and would make each a neighbour of all. */
const MAX_SENTENCES_OF_TERM = 300;

/** Weighs words by how often they stand in the sentence and how seldom in others. */
export function weighTerms(sentences: readonly (readonly number[])[]): readonly WeightedTerms[] {
  const holders = new Map<number, number>();
  for (const terms of sentences) {
    for (const term of new Set(terms)) holders.set(term, (holders.get(term) ?? 0) + 1);
  }
  return sentences.map((terms) => {
    const counts = new Map<number, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    const own = [...counts.keys()];
    const weights = own.map(
      (term) => (counts.get(term) ?? 0) * Math.log((sentences.length + 1) / ((holders.get(term) ?? 0) + 0.5)),
    );
    const length = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0));
    return { terms: own, weights: length > 0 ? weights.map((weight) => weight / length) : weights };
  });
}

/** Compares only sentences that share a word, through an index from words to sentences. */
export function linkSentences(sentences: readonly WeightedTerms[]): SentenceGraph {
  const places = new Map<number, { readonly sentence: number; readonly weight: number }[]>();
  for (const [sentence, { terms, weights }] of sentences.entries()) {
    for (const [index, term] of terms.entries()) {
      const list = places.get(term) ?? [];
      if (list.length === 0) places.set(term, list);
      list.push({ sentence, weight: weights[index] ?? 0 });
    }
  }
  const cosines = new Float64Array(sentences.length);
  return sentences.map(({ terms, weights }, from) => {
    const touched: number[] = [];
    for (const [index, term] of terms.entries()) {
      const list = places.get(term) ?? [];
      if (list.length > MAX_SENTENCES_OF_TERM) continue;
      for (const { sentence, weight } of list) {
        const before = cosines[sentence] ?? 0;
        if (before === 0) touched.push(sentence);
        cosines[sentence] = before + weight * (weights[index] ?? 0);
      }
    }
    const edges: Edge[] = [];
    for (const to of touched) {
      const weight = cosines[to] ?? 0;
      if (to !== from && weight >= MIN_COSINE) edges.push({ to, weight });
      cosines[to] = 0;
    }
    return edges;
  });
}

/** How alike two sentences are, from 0 to 1. */
export function cosineOf(one: WeightedTerms, other: WeightedTerms): number {
  const weights = new Map(one.terms.map((term, index) => [term, one.weights[index] ?? 0]));
  return other.terms.reduce((sum, term, index) => sum + (weights.get(term) ?? 0) * (other.weights[index] ?? 0), 0);
}
