const SEGMENTER = new Intl.Segmenter("und", { granularity: "word" });

/** Recall and precision of the extracted words: 0 to 1 each. */
export interface TokenScore {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/**
 * Compares two texts as bags of words: `Intl.Segmenter` finds them, also in scripts without spaces. Letter case and
 * Markdown syntax do not count. A word that occurs twice must be found twice.
 */
export function tokenScore(found: string, expected: string): TokenScore {
  const wanted = countWords(expected);
  const given = countWords(found);
  let shared = 0;
  for (const [word, count] of given) shared += Math.min(count, wanted.get(word) ?? 0);
  const precision = ratio(shared, total(given));
  const recall = ratio(shared, total(wanted));
  return { precision, recall, f1: ratio(2 * precision * recall, precision + recall) };
}

function countWords(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  // What Markdown adds: languages of listings, line ends in cells, marks within words.
  const bare = text
    .replace(/^(\s*`{3,})[\w+#.-]+$/gm, "$1")
    .replaceAll("<br>", " ")
    .replace(/[_*`\\]/g, " ");
  for (const { segment, isWordLike } of SEGMENTER.segment(bare.normalize("NFKC").toLowerCase())) {
    if (isWordLike === true) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  }
  return counts;
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
