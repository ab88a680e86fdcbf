import { withoutHalfAtEnd } from "@yagate/lib/text/cut-text";
/** A part of a text that can be cited: `text.slice(start, end)`. */
export interface Passage {
  /** The number of the passage, starting at 1. */
  readonly number: number;
  /** Offset in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Length of a passage, in UTF-16 code units. */
const LENGTH = { least: 120, most: 600 } as const;
/** Paragraphs that are shorter, such as headings, are joined with the next paragraph. */
const LEAST_PARAGRAPH = 80;

/** Matches the end of a sentence or a line, with trailing white space. */
const SENTENCE_END = /[.!?…。！？।؟۔][\p{Pe}\p{Pf}"']*(?=\s|$|\p{Lo})|\n/gu;
const PARAGRAPH_END = /\n[^\S\n]*\n/g;

/**
 * Splits a text into passages at the ends of paragraphs, sentences or words, in this order of preference. Takes linear
 * time.
 */
export function toPassages(text: string): readonly Passage[] {
  const passages: Passage[] = [];
  const add = (from: number, to: number) => {
    const whole = text.slice(from, to);
    const trimmed = whole.trim();
    if (trimmed === "") return;
    const start = from + whole.indexOf(trimmed.charAt(0));
    passages.push({ number: passages.length + 1, start, end: start + trimmed.length, text: trimmed });
  };
  let begin = 0;
  for (const end of paragraphEnds(text)) {
    if (end - begin < LEAST_PARAGRAPH && end < text.length) continue;
    while (end - begin > LENGTH.most) {
      const cut = cutOf(text, begin);
      add(begin, cut);
      begin = cut;
    }
    add(begin, end);
    begin = end;
  }
  return passages;
}

function* paragraphEnds(text: string): Generator<number> {
  for (const { index } of text.matchAll(PARAGRAPH_END)) yield index;
  yield text.length;
}

/** Returns where to cut a long passage that starts at `begin`. */
function cutOf(text: string, begin: number): number {
  const window = text.slice(begin, begin + LENGTH.most);
  const ends = [...window.matchAll(SENTENCE_END)].map((match) => match.index + match[0].length);
  const sentenceEnd = ends.findLast((end) => end >= LENGTH.least);
  if (sentenceEnd !== undefined) return begin + sentenceEnd;
  const blank = window.lastIndexOf(" ");
  if (blank >= LENGTH.least) return begin + blank;
  return begin + withoutHalfAtEnd(window).length;
}
