import { cutText } from "@yagate/lib/text/cut-text";
import type { Passage } from "../passages.ts";
import type { Note } from "./prompts.ts";

/** Maximum length of a passage's excerpt, in characters. */
const MAX_EXCERPT_CHARACTERS = 300;
const MAX_CITATIONS = 8;

/** A passage that supports a key point: its offsets in the source text, and an excerpt from its start. */
export interface CitedPassage {
  readonly number: number;
  /** Offset in the source text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly excerpt: string;
}

export interface KeyPoint {
  readonly text: string;
  readonly passages: readonly CitedPassage[];
  /** Whether the model cited an existing passage. If not, the origin of the statement is unknown. */
  readonly isCited: boolean;
  /**
   * Numbers in the point that its passages do not contain, or all numbers if it cites no passage; absent if there are
   * none.
   */
  readonly numbersNotInPassages?: readonly string[];
}

/**
 * Removes citations of passages that the model was not shown. @returns the notes, and the number of removed citations.
 */
export function withKnownCitations(
  notes: readonly Note[],
  shown: ReadonlySet<number>,
): { readonly notes: readonly Note[]; readonly unknown: number } {
  let unknown = 0;
  const kept = notes.map(({ text, passages }) => {
    const known = [...new Set(passages)].filter((number) => shown.has(number));
    unknown += new Set(passages).size - known.length;
    return { text, passages: known };
  });
  return { notes: kept, unknown };
}

/** Converts a note to a key point with the passages that it cites. @param note - must cite only existing passages. */
export function toKeyPoint({ text, passages: numbers }: Note, passages: readonly Passage[]): KeyPoint {
  const cited = numbers.slice(0, MAX_CITATIONS).flatMap((number) => passages[number - 1] ?? []);
  const missing = numbersMissingIn(text, cited);
  return {
    text,
    passages: cited.map(({ number, start, end, text: whole }) => ({ number, start, end, excerpt: excerptOf(whole) })),
    isCited: cited.length > 0,
    ...(missing.length === 0 ? {} : { numbersNotInPassages: missing }),
  };
}

function excerptOf(text: string): string {
  return cutText(text, MAX_EXCERPT_CHARACTERS).toWellFormed();
}

// Digit separators are included, because 1,000.50 and 1 000,50 are the same number.
const NUMBER = /\p{Nd}(?:[\p{Nd}.,'’\u00A0\u202F ]*\p{Nd})?/gu;

function numbersMissingIn(text: string, cited: readonly Passage[]): readonly string[] {
  const known = new Set(cited.flatMap((passage) => numbersIn(passage.text)));
  const found = text.match(NUMBER) ?? [];
  return [...new Set(found)].filter((number) => !known.has(digitsOf(number)));
}

const MAX_PARTS = 12;

/**
 * Returns the numbers in a text. Each is listed in full and by its integer part, because a separator may be a decimal
 * point, or a space between two numbers.
 */
function numbersIn(text: string): readonly string[] {
  const whole = text.match(NUMBER) ?? [];
  return whole.flatMap((number) => {
    const parts = (number.match(/\p{Nd}+/gu) ?? []).slice(0, MAX_PARTS);
    return parts.flatMap((_, first) =>
      parts.slice(first).map((_, count) => parts.slice(first, first + count + 1).join("")),
    );
  });
}

function digitsOf(text: string): string {
  return text.replace(/(?<=\p{Nd})[.,'’\u00A0\u202F ](?=\p{Nd})/gu, "");
}
