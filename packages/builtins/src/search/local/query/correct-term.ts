import type { CountedTerm, Vocabulary } from "./vocabulary.ts";

const MIN_LENGTH = 4;
const LENGTH_FOR_TWO_SLIPS = 8;
const MOST_CORRECTIONS = 3;

/** Returns the index terms nearest to an unknown word: at edit distance one, or up to two for long words. */
export function correctTerm(forms: readonly string[], vocabulary: Vocabulary): readonly CountedTerm[] {
  const near = forms.flatMap((form) => {
    if (form.length < MIN_LENGTH || /\p{N}/u.test(form)) return [];
    const mostSlips = form.length >= LENGTH_FOR_TWO_SLIPS ? 2 : 1;
    return vocabulary.resembling(form).flatMap((term) => {
      const slips = countSlips(form, term, mostSlips);
      return slips > mostSlips ? [] : [{ term, slips }];
    });
  });
  const fewest = Math.min(...near.map(({ slips }) => slips));
  return [...new Set(near.filter(({ slips }) => slips === fewest).map(({ term }) => term))]
    .map((form) => ({ form, documents: vocabulary.countDocuments(form) }))
    .filter(({ documents }) => documents > 0)
    .sort((left, right) => right.documents - left.documents || (left.form < right.form ? -1 : 1))
    .slice(0, MOST_CORRECTIONS);
}

/**
 * Counts the edits between two words: letters omitted, added, replaced, or swapped with a neighbour (optimal string
 * alignment).
 *
 * @param most - larger distances need not be exact.
 */
export function countSlips(left: string, right: string, most: number): number {
  const from = [...left];
  const to = [...right];
  if (Math.abs(from.length - to.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, letter] of from.entries()) {
    const line = [row + 1];
    for (const [column, other] of to.entries()) {
      const mistaken = (last[column] ?? 0) + (letter === other ? 0 : 1);
      let slips = Math.min(mistaken, (last[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1);
      const isSwapped = row > 0 && column > 0 && letter === to[column - 1] && from[row - 1] === other;
      if (isSwapped) slips = Math.min(slips, (beforeLast[column - 1] ?? 0) + 1);
      line.push(slips);
    }
    beforeLast = last;
    last = line;
  }
  return last[to.length] ?? 0;
}
