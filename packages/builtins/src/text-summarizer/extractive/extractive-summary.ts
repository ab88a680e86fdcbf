/** A request for an extractive summary. */
export interface ExtractiveRequest {
  /** The text, of at most `EXTRACTIVE_LIMITS.maxCharacters` UTF-16 code units. */
  readonly text: string;
  /** Maximum number of sentences, from 1 to `EXTRACTIVE_LIMITS.maxSentences`. */
  readonly maxSentences: number;
  /**
   * Maximum length of all selected sentences together, in UTF-16 code units; default: no limit. The first sentence is
   * selected even if it is longer.
   */
  readonly maxCharacters?: number;
  /** BCP 47 tag, such as `de` or `pt-BR`; default: detected. */
  readonly language?: string;
}

/** A sentence of the text: `text.slice(start, end)` in the input. */
export interface ExtractedSentence {
  readonly text: string;
  /** Offset in the input, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** The result: the first sentences of a text, unchanged. */
export interface ExtractiveSummary {
  /** The sentences, in order. There are fewer than requested if all others repeat these. */
  readonly sentences: readonly ExtractedSentence[];
  /** The requested tag, or the ISO 639 code of the detected language; null if no language was detected. */
  readonly language: string | null;
  /** Number of all sentences in the text, not counting headings, tables and code. */
  readonly sentenceCount: number;
}

/** Limits of the summarizer. */
export const EXTRACTIVE_LIMITS = {
  /** Maximum length of a text, in UTF-16 code units. */
  maxCharacters: 2_097_152,
  maxSentences: 200,
} as const;
