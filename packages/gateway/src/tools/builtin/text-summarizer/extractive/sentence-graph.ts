import type { WeightedTerms } from "./term-weights.ts";

/** Who is like whom: for each sentence the others with more than a trace in common. */
export type SentenceGraph = readonly (readonly Edge[])[];

interface Edge {
  readonly to: number;
  /** The cosine of both, from 0 to 1. */
  readonly weight: number;
}

/** Of a sentence; the weakest others are left out. */
const MAX_EDGES = 100;
const MIN_COSINE = 0.05;
/** Words of more sentences than that say little of any two, and would make each a neighbour of all. */
const MAX_SENTENCES_OF_TERM = 300;

/** Compares only sentences that share a word, through an index from words to sentences. */
export function linkSentences(sentences: readonly WeightedTerms[]): SentenceGraph {
  const places = placesOf(sentences);
  const cosines = new Float64Array(sentences.length);
  return sentences.map((sentence, from) => {
    const touched: number[] = [];
    for (const [at, term] of sentence.terms.entries()) {
      const { holders, weights } = places.get(term) ?? NOWHERE;
      if (holders.length > MAX_SENTENCES_OF_TERM) continue;
      const weight = sentence.weights[at] ?? 0;
      for (const [place, holder] of holders.entries()) {
        const before = cosines[holder] ?? 0;
        if (before === 0) touched.push(holder);
        cosines[holder] = before + weight * (weights[place] ?? 0);
      }
    }
    const edges: Edge[] = [];
    for (const to of touched) {
      const weight = cosines[to] ?? 0;
      if (to !== from && weight >= MIN_COSINE) edges.push({ to, weight });
      cosines[to] = 0;
    }
    if (edges.length <= MAX_EDGES) return edges;
    return edges.sort((one, other) => other.weight - one.weight || one.to - other.to).slice(0, MAX_EDGES);
  });
}

/** In which sentences a word stands, and how much it weighs in each. */
interface Places {
  readonly holders: number[];
  readonly weights: number[];
}

const NOWHERE: Places = { holders: [], weights: [] };

function placesOf(sentences: readonly WeightedTerms[]): ReadonlyMap<number, Places> {
  const places = new Map<number, Places>();
  for (const [sentence, { terms, weights }] of sentences.entries()) {
    for (const [at, term] of terms.entries()) {
      const known = places.get(term) ?? { holders: [], weights: [] };
      if (known.holders.length === 0) places.set(term, known);
      known.holders.push(sentence);
      known.weights.push(weights[at] ?? 0);
    }
  }
  return places;
}
