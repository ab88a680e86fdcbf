import { FUNCTION_WORDS } from "../../../../language/function-words.ts";
import { hashOf } from "./hash-of.ts";

/** The words of a sentence that count when it is compared with others. */
export interface SentenceTerms {
  /** By number, below `TERM_NUMBERS`; a word as often as it stands there. Few of different words share a number. */
  readonly terms: readonly number[];
  /** All words, function words too. */
  readonly wordCount: number;
}

/** How many numbers there are: tables over all words stay small, however many words a text has. */
export const TERM_NUMBERS = 2 ** 20;

/** Inflected forms of a word mostly share their beginning. */
const STEM_LETTERS = 6;
const STEMMED = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}]/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const KANA = /^[\p{Script=Hiragana}ー]{1,3}$/u;
const NUMBER = /^\p{N}+$/u;
/** Scripts that write words without spaces between them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const MAX_TERMS = 100;

/** Reads the words of one language's sentences. */
export function createTermReader(language: string | null): (sentence: string) => SentenceTerms {
  const segmenter = new Intl.Segmenter(language ?? "und", { granularity: "word" });
  const stopWords = FUNCTION_WORDS[language?.split("-")[0] ?? ""] ?? new Set<string>();

  function wordsOf(sentence: string): readonly string[] {
    if (!UNSPACED.test(sentence)) return sentence.match(WORD) ?? [];
    return [...segmenter.segment(sentence)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
  }

  return (sentence) => {
    const terms: number[] = [];
    const words = wordsOf(sentence.toLowerCase());
    for (const word of words) {
      if (terms.length >= MAX_TERMS) break;
      if (stopWords.has(word) || KANA.test(word) || NUMBER.test(word)) continue;
      terms.push(hashOf(STEMMED.test(word) ? word.slice(0, STEM_LETTERS) : word) % TERM_NUMBERS);
    }
    return { terms, wordCount: words.length };
  };
}
