/** Input of the summarizer. */
export interface ExtractiveRequest {
  /** At most `EXTRACTIVE_LIMITS.maxCharacters` UTF-16 units. */
  readonly text: string;
  /** From 1 to `EXTRACTIVE_LIMITS.maxSentences`. */
  readonly maxSentences: number;
  /**
   * Maximum length of all selected sentences together, in UTF-16 units; default: no limit. The first sentence may
   * exceed it.
   */
  readonly maxCharacters?: number;
  /** BCP 47 tag, such as `de` or `pt-BR`; default: detected. */
  readonly language?: string;
}

/** A sentence of the text: `text.slice(start, end)` of the input. */
export interface ExtractedSentence {
  readonly text: string;
  /** In UTF-16 units of the input. */
  readonly start: number;
  readonly end: number;
}

/** Sentences of a text, unchanged. */
export interface ExtractiveSummary {
  /** The first sentences of the text; fewer than requested if all others repeat these. */
  readonly sentences: readonly ExtractedSentence[];
  /** The requested tag, or the ISO 639 code of the detected language; null if detection was unclear. */
  readonly language: string | null;
  /** All sentences of the text, without headings, tables and code. */
  readonly sentenceCount: number;
}

/** Limits of the summarizer. */
export const EXTRACTIVE_LIMITS = {
  /** In UTF-16 units. */
  maxCharacters: 2_097_152,
  maxSentences: 200,
} as const;
