import { hashOf } from "./hash-of.ts";
import { segmentSentences } from "./segment-sentences.ts";
import { createTermReader } from "./sentence-terms.ts";

/** A sentence that could stand in the summary. */
export interface Candidate {
  readonly start: number;
  readonly end: number;
  /** The how-manieth sentence of the text, from 0. */
  readonly index: number;
  readonly indexInBlock: number;
  readonly isListItem: boolean;
  /** Whether it only leads to what comes after it, such as a list. */
  readonly isOpen: boolean;
  /** The how-manieth heading it stands under; 0 before the first. */
  readonly section: number;
  readonly terms: readonly number[];
  readonly wordCount: number;
}

export interface CandidateList {
  readonly candidates: readonly Candidate[];
  /** All sentences, candidates or not. */
  readonly sentenceCount: number;
  /** The words of each heading; the first is the text's title. */
  readonly headings: readonly (readonly number[])[];
}

const ENDS_OPEN = /[:：][^\p{L}\p{N}]*$/u;
const MAX_HEADINGS = 2_000;

/** Sentences with something in them; of those that say the same in the same words, the first. */
export function readCandidates(text: string, language: string | null): CandidateList {
  const list = collect(text, language, false);
  // A title, a slogan, a list of names: what looks like headings is all there is.
  return list.sentenceCount === 0 ? collect(text, language, true) : list;
}

function collect(text: string, language: string | null, hasHeadingsOnly: boolean): CandidateList {
  const readTerms = createTermReader(language);
  const candidates: Candidate[] = [];
  const headings: (readonly number[])[] = [];
  const seen = new Set<number>();
  let sentenceCount = 0;
  for (const { start, end, kind, words, indexInBlock } of segmentSentences(text, language)) {
    const { terms, wordCount } = readTerms(words);
    if (kind === "heading" && !hasHeadingsOnly) {
      if (headings.length < MAX_HEADINGS) headings.push(terms);
      continue;
    }
    const index = sentenceCount;
    sentenceCount += 1;
    const key = keyOf(words);
    if (wordCount === 0 || seen.has(key)) continue;
    seen.add(key);
    const section = headings.length;
    const isListItem = kind === "item";
    const isOpen = ENDS_OPEN.test(words.slice(-5));
    candidates.push({ start, end, index, indexInBlock, isListItem, isOpen, section, terms, wordCount });
  }
  return { candidates, sentenceCount, headings };
}

/** Alike for the same words, whatever stands between them. */
function keyOf(words: string): number {
  const letters = words
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
  return hashOf(letters) * 2 ** 20 + (hashOf(letters, letters.length) & 0xfffff);
}
