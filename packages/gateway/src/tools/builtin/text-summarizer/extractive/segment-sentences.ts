import { FUNCTION_WORDS } from "../../../../language/function-words.ts";
import { abbreviationsOf } from "./abbreviations.ts";
import { maskMarkup } from "./mask-markup.ts";
import { readBlocks, type TextBlock } from "./read-blocks.ts";

/** A sentence's place in the text, and what it stands in. */
export interface SentenceSpan {
  readonly start: number;
  readonly end: number;
  readonly kind: TextBlock["kind"];
  /** Its words: as long as it is, with spaces in place of markup and line breaks. */
  readonly words: string;
  /** The how-manieth of its block, from 0. */
  readonly indexInBlock: number;
}

/** What is longer is cut: no summary wants it whole. */
const MAX_SENTENCE = 1_000;
const PIECE = 500;
const MAX_MERGED = 6;
/** Blocks are segmented in parts of about this many characters. */
const PART = 50_000;
const LAST_WORD = /([\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}.\-°]*)\.["'”’»)\]]*\s*$/u;
const FIRST_WORD = /^[\s"'“„«‹([¿¡*_]*([\p{L}\p{M}]+)/u;
const BEFORE_NUMBER = /(?<![\p{L}\p{M}\p{N}.])([\p{L}\p{M}]{4,40})\.\s{1,200}(?=\p{N})/gu;
const INITIALS = /^(?:\p{Lu}\p{M}*|(?:\p{Lu}\.)+\p{Lu})$/u;
const OPENING = "([{「『（【《〈";
const CLOSING = ")]}」』）】》〉";

/** Cuts texts of one language into sentences, by the Unicode rules and what they miss. */
export function* segmentSentences(text: string, language: string | null): Generator<SentenceSpan> {
  const segmenter = new Intl.Segmenter(language ?? "und", { granularity: "sentence" });
  const { before, beforeNumber, anywhere } = abbreviationsOf(language);
  const starters = FUNCTION_WORDS[language?.split("-")[0] ?? "en"] ?? new Set<string>();

  const hasOrdinals = ORDINALS.has(language?.split("-")[0] ?? "");

  /** Whether a sentence goes on in the next segment. */
  function goesOn(left: string, right: string): boolean {
    if (/^[\s"'”’»)\]]*\p{Ll}/u.test(right) || (left.length < 8 && !/\p{L}/u.test(left))) return true;
    if (/[」』）”]\s*$/u.test(left) && /^[とっ]/u.test(right)) return true;
    const word = LAST_WORD.exec(left.slice(-40))?.[1];
    return (word !== undefined && isShortened(word, right)) || hasOpenBracket(left);
  }

  /** Whether the stop after a word is the word's, and not the sentence's. */
  function isShortened(word: string, next: string): boolean {
    const last = word.toLowerCase();
    const isNumberNext = /^\s*\p{N}/u.test(next);
    if (before.has(last) || (isNumberNext && beforeNumber.has(last))) return true;
    // German and its like write days and ranks so: „am 3. Oktober“.
    if (/^\d{1,2}$/.test(last)) return hasOrdinals;
    const first = FIRST_WORD.exec(next)?.[1];
    const isName = first === undefined || !starters.has(first.toLowerCase());
    return isName && (anywhere.has(last) || INITIALS.test(word));
  }

  for (const block of readBlocks(text)) {
    const masked = maskMarkup(block.text);
    if (block.kind === "heading") {
      const end = block.start + block.text.length;
      yield { start: block.start, end, kind: "heading", words: masked, indexInBlock: 0 };
      continue;
    }
    let index = 0;
    for (const whole of merged(masked)) {
      for (const piece of pieces(masked, whole.start, whole.end)) {
        const span = trim(masked, piece.start, piece.end);
        if (span === undefined) continue;
        const words = masked.slice(span.start, span.end);
        const [start, end] = [block.start + span.start, block.start + span.end];
        yield { start, end, kind: block.kind, words, indexInBlock: index };
        index += 1;
      }
    }
  }

  function* merged(masked: string): Generator<{ start: number; end: number }> {
    let start = 0;
    let end = 0;
    let count = 0;
    for (const segment of segments(masked)) {
      const left = masked.slice(start, end);
      const isOpen = count > 0 && count < MAX_MERGED && end - start < MAX_SENTENCE;
      if (end > start && !(isOpen && goesOn(left, segment.text.slice(0, 80)))) {
        yield { start, end };
        start = end;
        count = 0;
      }
      end = segment.end;
      count += 1;
    }
    if (end > start) yield { start, end };
  }

  /** The Unicode rules see no end where the next sentence begins with a number and goes on in small letters. */
  function* splitBeforeNumbers(segment: string, start: number): Generator<{ text: string; end: number }> {
    let from = 0;
    for (const { 0: found, 1: word = "", index } of segment.matchAll(BEFORE_NUMBER)) {
      if (isShortened(word, "1")) continue;
      const to = index + found.length;
      yield { text: segment.slice(from, to), end: start + to };
      from = to;
    }
    yield { text: segment.slice(from), end: start + segment.length };
  }

  function* segments(masked: string): Generator<{ text: string; end: number }> {
    for (let from = 0; from < masked.length; ) {
      const to = partEnd(masked, from);
      for (const { segment, index } of segmenter.segment(masked.slice(from, to))) {
        const end = from + index + segment.length;
        yield* splitBeforeNumbers(segment, end - segment.length);
      }
      from = to;
    }
  }
}

const ORDINALS: ReadonlySet<string> = new Set("de cs da fi hr hu no pl tr".split(" "));

function hasOpenBracket(text: string): boolean {
  let open = 0;
  for (const sign of text) {
    if (OPENING.includes(sign)) open += 1;
    else if (CLOSING.includes(sign)) open = Math.max(0, open - 1);
  }
  return open > 0;
}

function partEnd(text: string, from: number): number {
  if (text.length - from <= PART) return text.length;
  const space = text.lastIndexOf(" ", from + PART);
  return wholeCharacter(text, space > from ? space + 1 : from + PART);
}

/** Cuts what is too long at a weaker sign, else at a space, else where it must. */
function* pieces(text: string, start: number, end: number): Generator<{ start: number; end: number }> {
  let from = start;
  while (end - from > MAX_SENTENCE) {
    const window = text.slice(from, from + PIECE);
    const sign = Math.max(...[";", "；", "；", ",", "，", "、"].map((one) => window.lastIndexOf(one)));
    const space = window.lastIndexOf(" ");
    const length = sign > PIECE / 3 ? sign + 1 : space > PIECE / 3 ? space + 1 : PIECE;
    const to = wholeCharacter(text, from + length);
    yield { start: from, end: to };
    from = to;
  }
  yield { start: from, end };
}

/** Not within a surrogate pair. */
function wholeCharacter(text: string, place: number): number {
  const code = text.charCodeAt(place);
  const isPair = code >= 0xdc00 && code <= 0xdfff && (text.codePointAt(place - 1) ?? 0) > 0xffff;
  return isPair ? place + 1 : place;
}

function trim(text: string, start: number, end: number): { start: number; end: number } | undefined {
  let from = start;
  let to = end;
  while (from < to && /\s/.test(text.charAt(from))) from += 1;
  while (to > from && /\s/.test(text.charAt(to - 1))) to -= 1;
  return to > from ? { start: from, end: to } : undefined;
}
