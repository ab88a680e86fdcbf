import { createYielder } from "@yagate/lib/async/event-loop";

const K1 = 1.2;
const B = 0.75;

/** The scores of the texts of a collection for a query. */
export interface Bm25 {
  /** The score of each text, in the order of the texts. */
  readonly scores: readonly number[];
  /** Returns the weight of a query term: `ln(1 + (N − n + 0.5) / (n + 0.5))`. */
  weightOf(term: string): number;
}

/**
 * Scores texts by Okapi BM25 with k1 = 1.2 and b = 0.75, and a term weight that is never negative. Yields to the event
 * loop.
 *
 * @param texts - the terms of each text.
 * @param query - each term once.
 * @see Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009
 */
export async function bm25(texts: readonly (readonly string[])[], query: readonly string[]): Promise<Bm25> {
  const wanted = new Set(query);
  const turn = createYielder(15);
  const counted: ReadonlyMap<string, number>[] = [];
  for (const terms of texts) {
    const counts = new Map<string, number>();
    for (const term of terms) if (wanted.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    counted.push(counts);
    await turn();
  }
  const meanLength = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const weights = new Map(
    [...wanted].map((term) => {
      const holders = counted.filter((counts) => counts.has(term)).length;
      return [term, Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5))];
    }),
  );
  const scores = texts.map(({ length }, index) => {
    const norm = K1 * (1 - B + (B * length) / Math.max(1, meanLength));
    let score = 0;
    for (const [term, count] of counted[index] ?? []) {
      score += ((weights.get(term) ?? 0) * count * (K1 + 1)) / (count + norm);
    }
    return score;
  });
  return { scores, weightOf: (term) => weights.get(term) ?? 0 };
}
