import { findSpans, outside, type Span } from "./span.ts";
import { readWords } from "./words.ts";

/** A number of the question. */
export interface NumberMention extends Span {
  readonly value: number;
  /** Stems of the two words in front of it and the one behind it. */
  readonly beside: readonly string[];
  readonly isMoney: boolean;
}

/** Numbers as words; the place of each is its value. */
export const NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** Figures with or without thousands separators, and the words up to twelve; not those inside `taken`. */
export function findNumbers(text: string, taken: readonly Span[]): readonly NumberMention[] {
  const figures = findSpans(text, /(?<![\w.,])-?(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:\.\d{1,12})?(?![\d_]|[.,]\d)/g);
  const words = findSpans(text, /\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/gi);
  const values = [
    ...outside(figures, taken).map((span) => ({ ...span, value: Number(span.text.replaceAll(",", "")) })),
    ...outside(words, taken).map((span) => ({ ...span, value: NUMBER_WORDS.indexOf(span.text.toLowerCase()) })),
  ].sort((left, right) => left.start - right.start);
  return values.map((span) => ({ ...span, ...surroundingsOf(text, span) }));
}

function surroundingsOf(text: string, { start, end }: Span): Pick<NumberMention, "beside" | "isMoney"> {
  const before = text.slice(Math.max(0, start - 60), start);
  const after = text.slice(end, end + 40);
  const words = [...readWords(before).slice(-2), ...readWords(after).slice(0, 1)];
  return {
    beside: words.map((word) => word.stem),
    isMoney: /[$€£¥]$/.test(before) || /^ ?(?:[$€£¥]|USD\b|EUR\b|GBP\b|euros?\b|dollars?\b)/.test(after),
  };
}
