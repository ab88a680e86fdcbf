/** What is asked of the engine. */
export interface ExtractiveRequest {
  /** At most `EXTRACTIVE_LIMITS.maxCharacters` UTF-16 units. */
  readonly text: string;
  /** From 1 to `EXTRACTIVE_LIMITS.maxSentences`. */
  readonly maxSentences: number;
  /** All chosen sentences together, in UTF-16 units; without it no bound. The first sentence may be longer than that. */
  readonly maxCharacters?: number;
  /** A BCP 47 tag, such as `de` or `pt-BR`; without it the language is found in the text. */
  readonly language?: string;
}

/** A sentence as it stands in the text: `text.slice(start, end)` of what was given. */
export interface ExtractedSentence {
  readonly text: string;
  /** In UTF-16 units of the given text. */
  readonly start: number;
  readonly end: number;
}

/** Sentences of a text, none rewritten. */
export interface ExtractiveSummary {
  /** The first ones of the text; fewer than asked for where all others repeat these. */
  readonly sentences: readonly ExtractedSentence[];
  /** The tag given, or the ISO 639 code of what was found; null where nothing was clear. */
  readonly language: string | null;
  /** All sentences of the text, headings, tables and code left out. */
  readonly sentenceCount: number;
}

/** What the engine takes. */
export const EXTRACTIVE_LIMITS = {
  /** In UTF-16 units. */
  maxCharacters: 2_097_152,
  maxSentences: 200,
} as const;
