/**
 * Counts the words in a short text, even in a script without spaces. @param language - a BCP 47 tag; null if unknown.
 */
export function countWords(text: string, language: string | null = null): number {
  const segments = new Intl.Segmenter(language ?? undefined, { granularity: "word" }).segment(text);
  let count = 0;
  for (const { isWordLike } of segments) if (isWordLike === true) count += 1;
  return count;
}
