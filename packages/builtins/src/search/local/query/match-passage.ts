import type { QueryTerm } from "./query-terms.ts";

/** The occurrences of a query's terms in a text, each as the index of the term and of the token. */
export interface PassageMatch {
  readonly places: readonly { readonly term: number; readonly position: number }[];
  /** Number of tokens in the text. */
  readonly length: number;
}

/** Creates a function that finds a query's terms in the space-separated terms of a text. */
export function createMatcher(terms: readonly QueryTerm[]): (text: string) => PassageMatch {
  const numbers = new Map(terms.flatMap(({ forms }, number) => forms.map((form) => [form, number] as const)));
  return (text) => {
    const words = text.split(" ");
    const places = words.flatMap((word, position) => {
      const term = numbers.get(word);
      return term === undefined ? [] : [{ term, position }];
    });
    return { places, length: words.length };
  };
}

const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
/** Number of tokens in a passage of typical length. */
const USUAL_LENGTH = 180;

/** Rates how well a passage matches, by BM25 over the query's terms: at least 0 and less than 1. */
export function passageScoreOf({ places, length }: PassageMatch, terms: readonly QueryTerm[]): number {
  const counts = new Map<number, number>();
  for (const { term } of places) counts.set(term, (counts.get(term) ?? 0) + 1);
  const dampening = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / USUAL_LENGTH);
  const scores = [...counts].map(([number, count]) => ((terms[number]?.weight ?? 0) * count) / (count + dampening));
  return sumOf(scores) / sumOf(terms.map(({ weight }) => weight));
}

/** Returns the share of the query's weight that a text contains, from 0 to 1. */
export function coverageOf(matches: readonly PassageMatch[], terms: readonly QueryTerm[]): number {
  const found = new Set(matches.flatMap(({ places }) => places.map(({ term }) => term)));
  return sumOf([...found].map((number) => terms[number]?.weight ?? 0)) / sumOf(terms.map(({ weight }) => weight));
}

const FARTHEST = 10;

/** Rates whether adjacent query terms occur close together and in order, from 0 to 1. An exact phrase rates 1. */
export function proximityOf({ places }: PassageMatch, terms: readonly QueryTerm[]): number {
  if (terms.length < 2) return 0;
  const nearness = new Map<number, number>();
  for (const [index, place] of places.entries()) {
    for (const next of places.slice(index + 1, index + 1 + FARTHEST)) {
      const distance = next.position - place.position;
      if (distance > FARTHEST) break;
      const [first, isInOrder] = next.term === place.term + 1 ? [place.term, true] : [next.term, false];
      if (!isInOrder && place.term !== next.term + 1) continue;
      const near = (isInOrder ? 1 : 0.7) / Math.max(1, distance);
      if (near > (nearness.get(first) ?? 0)) nearness.set(first, near);
    }
  }
  const weightOf = (number: number) => Math.min(terms[number]?.weight ?? 0, terms[number + 1]?.weight ?? 0);
  const most = sumOf(terms.slice(1).map((_term, number) => weightOf(number)));
  return most > 0 ? sumOf([...nearness].map(([number, near]) => near * weightOf(number))) / most : 0;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
