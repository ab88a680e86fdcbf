import { FUNCTION_WORDS } from "@yagate/lib/language/function-words";
import { readSentences } from "../../builtins/src/text-summarizer/extractive/read-sentences.ts";
import { summarizeText } from "../../builtins/src/text-summarizer/extractive/summarize-text.ts";
import type { SummarizedText } from "./read-texts.ts";
import { type Rouge, rougeOf } from "./rouge.ts";
import { rankSentences } from "./text-rank.ts";

/** What is compared with the abstract. */
export type Summarizer = "extractive" | "textRank" | "random";

const RANDOM_ROUNDS = 20;
/** Inflected forms of a word mostly share their beginning. */
const STEM_LETTERS = 6;

/**
 * The figures of each way to select sentences from a text. `extractive` is the tool's mode, `textRank` is TextRank with
 * MMR over the same sentences.
 *
 * @param maxSentences - number of sentences. Default: the number in the abstract.
 */
export function summariesOf(
  { text, abstract, language, id }: SummarizedText,
  maxSentences?: number,
): Readonly<Record<Summarizer, Rouge>> {
  const reference = [...readSentences(abstract, language)].map(({ start, end }) => abstract.slice(start, end));
  const count = maxSentences ?? reference.length;
  const all = [...readSentences(text, language)].map(({ start, end }) => text.slice(start, end));
  const judge = (summary: readonly string[]) => rougeOf(summary, reference, language);
  const ranked = rankSentences(termsOf(all, language), count).toSorted((one, other) => one - other);
  const random = createRandom(id);
  const rounds = Array.from({ length: RANDOM_ROUNDS }, () => judge(pick(all, count, random)));
  const mean = (of: keyof Rouge) => rounds.reduce((sum, round) => sum + round[of], 0) / RANDOM_ROUNDS;
  return {
    extractive: judge(summarizeText({ text, maxSentences: count }).sentences.map((sentence) => sentence.text)),
    textRank: judge(ranked.map((at) => all[at] ?? "")),
    random: { rouge1: mean("rouge1"), rouge2: mean("rouge2"), rougeL: mean("rougeL") },
  };
}

/** The beginnings of the words of each sentence, without function words and numbers. */
function termsOf(sentences: readonly string[], language: string): readonly (readonly string[])[] {
  const segmenter = new Intl.Segmenter(language, { granularity: "word" });
  const stopWords = FUNCTION_WORDS[language] ?? new Set<string>();
  return sentences.map((sentence) =>
    [...segmenter.segment(sentence.toLowerCase())]
      .filter(({ isWordLike, segment }) => isWordLike && !stopWords.has(segment) && !/^\p{N}+$/u.test(segment))
      .map(({ segment }) => segment.slice(0, STEM_LETTERS)),
  );
}

function pick(sentences: readonly string[], count: number, random: () => number): readonly string[] {
  const order = sentences.map((_, at) => ({ at, key: random() })).sort((one, other) => one.key - other.key);
  const places = order.slice(0, count).map(({ at }) => at);
  return places.sort((one, other) => one - other).map((at) => sentences[at] ?? "");
}

/** The same numbers for the same text every time (a linear congruential generator). */
export function createRandom(seed: string): () => number {
  let state = [...seed].reduce((sum, sign) => (Math.imul(sum, 31) + (sign.codePointAt(0) ?? 0)) >>> 0, 17);
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
