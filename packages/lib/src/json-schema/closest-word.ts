/** Many shorter words differ by one letter, and longer texts are not words. */
const CHARACTERS = { least: 4, most: 40 } as const;

/**
 * The word that was probably meant: the same letters, or one letter added, removed, replaced or swapped with the next.
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

/** A suggestion as the end of a sentence; empty without a clear candidate. */
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
