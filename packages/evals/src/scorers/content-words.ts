const WORDS = new Intl.Segmenter("en", { granularity: "word" });

/** English words that carry no information about the topic of a sentence. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after all also an and any are as at be because been but by can could did do does for from had has have he
  her his how i if in into is it its may more most not of on one or other our out shall she should so some such than
  that the their them then there these they this to under up was we were what when where which while who will with
  would you your according`.split(/\s+/),
);

/** Returns the content words of a text, in lower case and without common endings. */
export function contentWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of WORDS.segment(text.toLowerCase())) {
    if (isWordLike === true && !STOP_WORDS.has(segment)) words.push(stemOf(segment));
  }
  return words;
}

/**
 * Removes the endings with which English words vary most. The result need not be a word, only the same on both sides.
 */
function stemOf(word: string): string {
  if (word.length < 5) return word.length > 3 ? word.replace(/s$/, "") : word;
  return word
    .replace(/(?:'|’)s$/, "")
    .replace(/ies$/, "y")
    .replace(/(?:ing|ed|es|s)$/, "")
    .replace(/e$/, "");
}
