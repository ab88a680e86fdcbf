/** How well a ranking answers one question: 0 to 1 each. */
export interface Measures {
  readonly ndcg: number;
  readonly reciprocalRank: number;
  readonly recall: number;
}

const CUT = 10;

/**
 * nDCG@10 with binary relevance, the reciprocal rank of the first relevant document among the first ten, and recall@10.
 *
 * @see K. Järvelin, J. Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20 (2002).
 */
export function measure(ranking: readonly string[], relevant: readonly string[]): Measures {
  const wanted = new Set(relevant);
  const top = ranking.slice(0, CUT);
  const gain = top.reduce((sum, id, index) => sum + (wanted.has(id) ? 1 / Math.log2(index + 2) : 0), 0);
  const ideal = [...wanted].slice(0, CUT).reduce((sum, _id, index) => sum + 1 / Math.log2(index + 2), 0);
  const first = top.findIndex((id) => wanted.has(id));
  const found = top.filter((id) => wanted.has(id)).length;
  return { ndcg: gain / ideal, reciprocalRank: first === -1 ? 0 : 1 / (first + 1), recall: found / wanted.size };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The bounds of the 95 % bootstrap interval of the mean, drawn with a fixed seed. */
export function bootstrapInterval(values: readonly number[], samples = 2_000): readonly [low: number, high: number] {
  const random = seededRandom(1);
  const means = Array.from({ length: samples }, () =>
    mean(values.map(() => values[Math.floor(random() * values.length)] ?? 0)),
  ).sort((left, right) => left - right);
  return [means[Math.floor(samples * 0.025)] ?? 0, means[Math.ceil(samples * 0.975) - 1] ?? 0];
}

/** Numbers from 0 to 1, the same for the same seed (a linear congruential generator, Numerical Recipes' constants). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
