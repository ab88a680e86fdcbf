import { detectLanguage } from "../../language/detect-language.ts";
import type { ExtractedSentence, ExtractiveRequest, ExtractiveSummary } from "./extractive-summary.ts";
import { readSentences } from "./read-sentences.ts";

/**
 * Returns the first distinct sentences of a text. The summaries in docs/benchmarks.md show that TextRank with MMR is no
 * better.
 */
export function summarizeText(request: ExtractiveRequest): ExtractiveSummary {
  const { text, maxSentences, maxCharacters = Number.POSITIVE_INFINITY } = request;
  const language = request.language ?? detectLanguage(text);
  const sentences: ExtractedSentence[] = [];
  const seen = new Set<string>();
  let sentenceCount = 0;
  let characters = 0;
  for (const { start, end, words } of readSentences(text, language)) {
    sentenceCount += 1;
    if (sentences.length === maxSentences) continue;
    const key = words.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, " ");
    const isTooLong = sentences.length > 0 && characters + end - start > maxCharacters;
    if (seen.has(key) || isTooLong) continue;
    seen.add(key);
    sentences.push({ text: text.slice(start, end), start, end });
    characters += end - start;
  }
  return { sentences, language, sentenceCount };
}
