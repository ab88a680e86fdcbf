import { segmentSentences } from "../../../packages/gateway/src/tools/builtin/text-summarizer/extractive/segment-sentences.ts";
import { summarizeText } from "../../../packages/gateway/src/tools/builtin/text-summarizer/extractive/summarize-text.ts";
import type { SummarizedText } from "./read-texts.ts";
import { type Rouge, rougeOf } from "./rouge.ts";

/** What is compared with the abstract. */
export type Summarizer = "extractive" | "lead" | "leadOfSameLength" | "random";

const RANDOM_ROUNDS = 20;

/**
 * The figures of each way to take sentences out of a text. `lead` are its first ones, as many as the engine may choose;
 * `leadOfSameLength` its first words, as many as the engine's sentences have together.
 *
 * @param maxSentences - how many; without it as many as the abstract has.
 */
export function summariesOf(
  { text, abstract, language, id }: SummarizedText,
  maxSentences?: number,
): Readonly<Record<Summarizer, Rouge>> {
  const reference = [...segmentSentences(abstract, language)].map(({ start, end }) => abstract.slice(start, end));
  const count = maxSentences ?? reference.length;
  const all = sentencesOf(text, language);
  const chosen = summarizeText({ text, maxSentences: count }).sentences.map((sentence) => sentence.text);
  const judge = (summary: readonly string[]) => rougeOf(summary, reference, language);
  const random = createRandom(id);
  const rounds = Array.from({ length: RANDOM_ROUNDS }, () => judge(pick(all, count, random)));
  const mean = (of: keyof Rouge) => rounds.reduce((sum, round) => sum + round[of], 0) / RANDOM_ROUNDS;
  return {
    extractive: judge(chosen),
    lead: judge(all.slice(0, count)),
    leadOfSameLength: judge(cutToWords(all, wordCount(chosen, language), language)),
    random: { rouge1: mean("rouge1"), rouge2: mean("rouge2"), rougeL: mean("rougeL") },
  };
}

function sentencesOf(text: string, language: string): readonly string[] {
  return [...segmentSentences(text, language)]
    .filter(({ kind }) => kind !== "heading")
    .map(({ start, end }) => text.slice(start, end));
}

function wordCount(sentences: readonly string[], language: string): number {
  return sentences.reduce((sum, sentence) => sum + wordsOf(sentence, language).length, 0);
}

function cutToWords(sentences: readonly string[], words: number, language: string): readonly string[] {
  const kept: string[] = [];
  let left = words;
  for (const sentence of sentences) {
    if (left <= 0) break;
    const own = wordsOf(sentence, language);
    const last = own[left];
    kept.push(last === undefined ? sentence : sentence.slice(0, last.index));
    left -= own.length;
  }
  return kept;
}

function wordsOf(text: string, language: string): readonly Intl.SegmentData[] {
  return [...new Intl.Segmenter(language, { granularity: "word" }).segment(text)].filter((one) => one.isWordLike);
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
