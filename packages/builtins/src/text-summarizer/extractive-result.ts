import type { ContentWarning } from "../web/port.ts";
import type { ExtractiveSummarizer, ExtractiveSummary } from "./extractive/extractive-summarizer.ts";
import type { SummaryRequest } from "./summary-request.ts";
import { countWords } from "./word-count.ts";

/** Average length of a word and the following space, in characters. */
const CHARACTERS_PER_WORD = 6;
/** Number of attempts to shorten a summary that has too many words. */
const MAX_TRIES = 4;

/** A summary that consists of extracted sentences. */
export interface ExtractiveResult {
  readonly method: "extractive";
  readonly summary: string;
  readonly sentences: ExtractiveSummary["sentences"];
  readonly sentenceCount: number;
  /** Language of the text; null if it was not detected. */
  readonly language: string | null;
  readonly warnings: readonly ContentWarning[];
}

/** Summarises a text by its first sentences, verbatim. */
export async function summarizeByExtraction(
  text: string,
  request: SummaryRequest,
  { extractor, ...turn }: { extractor: ExtractiveSummarizer; owner: string; timeoutMs: number; signal: AbortSignal },
): Promise<ExtractiveResult> {
  const { maxSentences, maxWords } = request;
  let maxCharacters = maxWords === undefined ? undefined : maxWords * CHARACTERS_PER_WORD;
  for (let tries = 1; ; tries += 1) {
    const bound = maxCharacters === undefined ? {} : { maxCharacters };
    const found = await extractor.summarize({ text, maxSentences, ...bound }, turn);
    const summary = joined(found);
    const words = maxWords === undefined ? 0 : countWords(summary, found.language);
    if (maxWords === undefined || words <= maxWords || found.sentences.length <= 1 || tries === MAX_TRIES) {
      const warnings = [...unheeded(request, found), ...tooFew(request, found), ...tooLong(words, maxWords)];
      return { method: "extractive", summary, ...found, warnings };
    }
    maxCharacters = Math.max(1, Math.floor((summary.length * maxWords) / words) - 1);
  }
}

function joined({ sentences, language }: ExtractiveSummary): string {
  const blank = language !== null && /^(?:zh|ja|th|lo|km|my)\b/.test(language) ? "" : " ";
  return sentences.map((sentence) => sentence.text).join(blank);
}

function unheeded(
  { focus, language }: Pick<SummaryRequest, "focus" | "language">,
  found: ExtractiveSummary,
): readonly ContentWarning[] {
  const isTranslation = language !== undefined && found.language !== null && base(language) !== base(found.language);
  return [
    ...(focus === undefined
      ? []
      : [
          {
            code: "FOCUS_IGNORED",
            message: "the summary consists of the first sentences of the text; the focus was ignored",
          },
        ]),
    ...(isTranslation
      ? [{ code: "LANGUAGE_IGNORED", message: "extracted sentences stay in the language of the text" }]
      : []),
  ];
}

/**
 * Warns about a summary with fewer sentences than requested, unless sentences were omitted to stay within the requested
 * word limit.
 */
function tooFew(
  { maxSentences, maxWords }: Pick<SummaryRequest, "maxSentences" | "maxWords">,
  { sentences, sentenceCount }: ExtractiveSummary,
): readonly ContentWarning[] {
  const wanted = Math.min(maxSentences, sentenceCount);
  if (maxWords !== undefined || sentences.length >= wanted) return [];
  const message = `${sentences.length} of ${wanted} sentences: all other sentences repeat these`;
  return [{ code: "FEWER_SENTENCES", message }];
}

function base(tag: string): string {
  return tag.toLowerCase().split("-")[0] ?? tag;
}

function tooLong(words: number, maxWords: number | undefined): readonly ContentWarning[] {
  if (maxWords === undefined || words <= maxWords) return [];
  return [{ code: "LONGER_THAN_ASKED", message: `the shortest summary of complete sentences has ${words} words` }];
}
