import { FUNCTION_WORDS } from "./function-words.ts";
import { maskMarkup } from "./mask-markup.ts";

/** The words of a sentence that count when it is compared with others, by number; a word as often as it stands there. */
export type TermReader = (sentence: string) => SentenceTerms;

export interface SentenceTerms {
  readonly terms: readonly number[];
  /** All words, function words too. */
  readonly wordCount: number;
}

/** Inflected forms of a word mostly share their beginning. */
const STEM_LETTERS = 6;
const STEMMED = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}]/u;
const KANA = /^[\p{Script=Hiragana}ー]{1,3}$/u;
const MAX_TERMS = 200;

/** Numbers the words of one language's sentences. */
export function createTermReader(language: string | null): TermReader {
  const segmenter = new Intl.Segmenter(language ?? "und", { granularity: "word" });
  const stopWords = FUNCTION_WORDS[language?.split("-")[0] ?? ""] ?? new Set<string>();
  const numbers = new Map<string, number>();
  return (sentence) => {
    const terms: number[] = [];
    let wordCount = 0;
    for (const { segment, isWordLike } of segmenter.segment(maskMarkup(sentence))) {
      if (isWordLike !== true) continue;
      wordCount += 1;
      const word = segment.toLowerCase();
      if (stopWords.has(word) || KANA.test(word) || /^\p{N}+$/u.test(word) || terms.length >= MAX_TERMS) continue;
      const stem = STEMMED.test(word) ? word.slice(0, STEM_LETTERS) : word.slice(0, 40);
      const number = numbers.get(stem) ?? numbers.size;
      if (number === numbers.size) numbers.set(stem, number);
      terms.push(number);
    }
    return { terms, wordCount };
  };
}
