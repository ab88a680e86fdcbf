import { readParagraphs } from "./read-paragraphs.ts";

/** The position of a sentence in the text. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
  /** The sentence with markup and line breaks replaced by spaces. */
  readonly words: string;
}

/** Maximum length of a sentence. Longer sentences are cut. */
const MAX_SENTENCE = 1_000;
/** Longer paragraphs are segmented in parts of this length. */
const PART = 50_000;
const MARKUP = /<[/!a-z][^<>]{0,300}>|\]\([^()\s]{1,1000}\)|https?:\/\/[^\s<>"')]{0,1000}[^\s<>"').,;:!?]/gi;
/**
 * Matches words with a full stop that does not end a sentence: initials, and abbreviations before a name or a number.
 */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|(?:e\.g|i\.e|z\. ?b|d\. ?h|u\. ?a|т\. ?[ед]|cf|vs|vgl|bzw|ca|dr|mr|mrs|ms|prof|st|no|nr|fig|eq|sec|vol|art|pp?|kap|abs|abb|sra?|др|стр|рис))\.\s*$/iu;
/**
 * Matches a number and a full stop at the end. German and similar languages write dates and ordinals in this form: „am
 * 3. Oktober“.
 */
const ORDINAL = /(?:^|\s)\d{1,2}\.\s*$/;
const HAS_ORDINALS = /^(?:de|cs|da|fi|hr|hu|no|pl|tr)\b/;

/**
 * Splits prose into sentences by the rules of Unicode. A full stop after some abbreviations, initials and ordinals does
 * not end a sentence.
 */
export function* readSentences(text: string, language: string | null): Generator<Sentence> {
  const segmenter = new Intl.Segmenter(language ?? "und", { granularity: "sentence" });
  const hasOrdinals = HAS_ORDINALS.test(language ?? "");
  const goesOn = (left: string, right: string) =>
    /^\p{Ll}/u.test(right) || ABBREVIATION.test(left) || (hasOrdinals && ORDINAL.test(left));
  for (const { start, end } of readParagraphs(text)) {
    const paragraph = text.slice(start, end).replace(MARKUP, (found) => " ".repeat(found.length));
    const words = paragraph.replace(/\s/g, " ");
    for (const sentence of segment(words, segmenter, goesOn)) {
      yield { ...sentence, start: start + sentence.start, end: start + sentence.end };
    }
  }
}

function* segment(
  words: string,
  segmenter: Intl.Segmenter,
  goesOn: (left: string, right: string) => boolean,
): Generator<Sentence> {
  let start = 0;
  for (let from = 0; from < words.length; from += PART) {
    for (const { index, segment } of segmenter.segment(words.slice(from, from + PART))) {
      const end = from + index + segment.length;
      const isOpen = end < words.length && end - start < MAX_SENTENCE;
      if (isOpen && goesOn(words.slice(Math.max(start, end - 12), end), words.slice(end, end + 2))) continue;
      while (start < end) {
        const to = cutAt(words, start, end);
        const piece = words.slice(start, to);
        const own = piece.trim();
        const at = start + piece.indexOf(own);
        if (/[\p{L}\p{N}]/u.test(own)) yield { start: at, end: at + own.length, words: own };
        start = to;
      }
    }
  }
}

/** Returns the end of a part: after a space, and not within a surrogate pair. */
function cutAt(text: string, start: number, end: number): number {
  if (end - start <= MAX_SENTENCE) return end;
  const space = text.lastIndexOf(" ", start + MAX_SENTENCE);
  const at = space > start ? space + 1 : start + MAX_SENTENCE;
  return /^[\udc00-\udfff]/.test(text.slice(at, at + 1)) ? at + 1 : at;
}
