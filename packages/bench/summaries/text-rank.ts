/** A sentence's terms with their weights; the squares of the weights add up to 1. */
type Vector = ReadonlyMap<string, number>;

const DAMPING = 0.85;
const ROUNDS = 30;
/** The weight of the rank against the similarity to the sentences that are already selected. */
const LAMBDA = 0.7;

/**
 * Orders sentences by their value for a summary: by TextRank (Mihalcea and Tarau 2004), with the cosine of
 * their terms in TF-IDF as the weight between two, and by maximal marginal relevance (Carbonell and Goldstein 1998).
 *
 * @param sentences - the terms of each.
 * @param count - number of sentences to select.
 */
export function rankSentences(sentences: readonly (readonly string[])[], count: number): readonly number[] {
  const vectors = toVectors(sentences);
  const ranks = textRank(vectors);
  const highest = Math.max(...ranks, Number.MIN_VALUE);
  const likeness = new Float64Array(sentences.length);
  const open = new Set(sentences.keys());
  const order: number[] = [];
  while (order.length < count && open.size > 0) {
    const relevanceOf = (at: number) => (LAMBDA * (ranks[at] ?? 0)) / highest - (1 - LAMBDA) * (likeness[at] ?? 0);
    const best = [...open].reduce((one, other) => (relevanceOf(other) > relevanceOf(one) ? other : one));
    open.delete(best);
    order.push(best);
    const own = vectors[best] ?? new Map();
    for (const at of open) likeness[at] = Math.max(likeness[at] ?? 0, cosine(own, vectors[at] ?? new Map()));
  }
  return order;
}

function toVectors(sentences: readonly (readonly string[])[]): readonly Vector[] {
  const holders = new Map<string, number>();
  for (const terms of sentences) for (const term of new Set(terms)) holders.set(term, (holders.get(term) ?? 0) + 1);
  return sentences.map((terms) => {
    const weights = new Map<string, number>();
    for (const term of terms) {
      weights.set(term, (weights.get(term) ?? 0) + Math.log((sentences.length + 1) / ((holders.get(term) ?? 0) + 0.5)));
    }
    const length = Math.hypot(...weights.values()) || 1;
    return new Map([...weights].map(([term, weight]) => [term, weight / length]));
  });
}

/** PageRank over sentences that share a term. */
function textRank(vectors: readonly Vector[]): Float64Array {
  const edges = linksBetween(vectors);
  const totals = edges.map((own) => own.reduce((sum, { weight }) => sum + weight, 0));
  let ranks = new Float64Array(vectors.length).fill(1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(vectors.length).fill(1 - DAMPING);
    for (const [from, own] of edges.entries()) {
      const share = (DAMPING * (ranks[from] ?? 0)) / (totals[from] || 1);
      for (const { to, weight } of own) next[to] = (next[to] ?? 0) + share * weight;
    }
    ranks = next;
  }
  return ranks;
}

function linksBetween(vectors: readonly Vector[]): readonly (readonly { to: number; weight: number }[])[] {
  const holders = new Map<string, number[]>();
  for (const [place, vector] of vectors.entries()) {
    for (const term of vector.keys()) holders.set(term, [...(holders.get(term) ?? []), place]);
  }
  return vectors.map((vector, from) => {
    const weights = new Map<number, number>();
    for (const [term, weight] of vector) {
      const others = holders.get(term) ?? [];
      for (const to of others) {
        if (to !== from) weights.set(to, (weights.get(to) ?? 0) + weight * (vectors[to]?.get(term) ?? 0));
      }
    }
    return [...weights].map(([to, weight]) => ({ to, weight }));
  });
}

function cosine(left: Vector, right: Vector): number {
  let sum = 0;
  for (const [term, weight] of left) sum += weight * (right.get(term) ?? 0);
  return sum;
}
