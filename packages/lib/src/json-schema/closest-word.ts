/**
 * Lengths of words for which a correction is suggested. Many shorter words differ in only one letter, and longer texts
 * are not words.
 */
const CHARACTERS = { least: 4, most: 40 } as const;

/**
 * Finds the known word that was probably meant: one with the same letters in any case, or with one letter added,
 * removed, replaced or swapped with the next one.
 */
function closestWord(word: string, known: Iterable<string>): string | undefined {
  if (word.length > CHARACTERS.most) return undefined;
  const lower = word.toLowerCase();
  for (const one of known) {
    if (Math.abs(one.length - word.length) > 1) continue;
    const isLong = Math.max(one.length, word.length) >= CHARACTERS.least;
    if (isLong ? isOneEditAway(lower, one.toLowerCase()) : lower === one.toLowerCase()) return one;
  }
  return undefined;
}

/** Returns a suggestion to append to a sentence; empty if no known word is similar. */
export function meantInstead(word: string, known: Iterable<string>): string {
  const meant = closestWord(word, known);
  return meant === undefined ? "" : `: did you mean ${meant}?`;
}

function isOneEditAway(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  const [left, right] = [one.length - start - end, other.length - start - end];
  const isSwapped = left === 2 && right === 2 && one[start] === other[start + 1] && one[start + 1] === other[start];
  return (left <= 1 && right <= 1) || isSwapped;
}
