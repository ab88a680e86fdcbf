import { fold } from "./fold.ts";

/** A word of a text in comparable form, with its position in UTF-16 code units. */
export interface Token {
  /** The folded word, which is not stemmed. */
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** Longer words are cut: queries do not contain them, and each would be a row in the index. */
const MAX_TERM_LENGTH = 64;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const OUTSIDE_WORDS = /[^\p{L}\p{N}\p{M}]+/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;
const CJK_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const CAMEL = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;
const CAMEL_PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{L}\p{M}]+|\p{N}+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins there.
const ASCII = /^[\x00-\x7f]*$/;

const segmenter = new Intl.Segmenter("th", { granularity: "word" });

/**
 * Splits a text into words. Chinese, Japanese and Korean are split into pairs of characters; Thai, Lao, Khmer and
 * Burmese are split by a dictionary. For `camelCase` and words with a hyphen or underscore, returns both the parts and
 * the complete word.
 */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let last: Token | undefined;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const end = index + word.length;
    const whole: Token = { term: termOf(word.slice(0, MAX_TERM_LENGTH)), start: index, end };
    if (whole.term === "") continue;
    if (!ASCII.test(word) && (CJK.test(word) || UNSPACED.test(word))) {
      tokens.push(...unspaced(word, index));
      last = undefined;
      continue;
    }
    if (CAMEL.test(word)) tokens.push(...partsOf(word, index));
    tokens.push(whole);
    if (last !== undefined && index === last.end + 1 && isJoin(text.charCodeAt(last.end))) {
      const term = `${last.term}${whole.term}`;
      if (term.length <= MAX_TERM_LENGTH) tokens.push({ term, start: last.start, end });
    }
    last = whole;
  }
  return tokens;
}

/**
 * Folds a word. A compatibility form such as `⑴` becomes text in parentheses; these are removed because the index would
 * split the term there.
 */
function termOf(word: string): string {
  const folded = fold(word);
  return ASCII.test(word) ? folded : folded.replace(OUTSIDE_WORDS, "");
}

/** Returns whether a character is a hyphen, an underscore or an apostrophe. */
function isJoin(code: number): boolean {
  return code === 0x2d || code === 0x5f || code === 0x27 || code === 0x2019 || code === 0x2010;
}

function partsOf(word: string, start: number): readonly Token[] {
  return [...word.matchAll(CAMEL_PART)]
    .filter(({ 0: part, index }) => index + part.length <= MAX_TERM_LENGTH * 2)
    .map(({ 0: part, index }) => ({ term: termOf(part), start: start + index, end: start + index + part.length }));
}

function unspaced(word: string, start: number): readonly Token[] {
  return [...word.matchAll(CJK_RUN)].flatMap(({ 0: run, index }) => {
    if (CJK.test(run)) return pairs(run, start + index);
    if (UNSPACED.test(run)) return segments(run, start + index);
    return [{ term: termOf(run.slice(0, MAX_TERM_LENGTH)), start: start + index, end: start + index + run.length }];
  });
}

function pairs(run: string, start: number): readonly Token[] {
  const characters = [...run];
  let at = start;
  const places = characters.map((character) => {
    const place = at;
    at += character.length;
    return place;
  });
  if (characters.length === 1) return [{ term: fold(run), start, end: at }];
  return characters.slice(1).map((second, index) => {
    const begin = places[index] ?? start;
    return {
      term: fold(`${characters[index]}${second}`),
      start: begin,
      end: (places[index + 1] ?? at) + second.length,
    };
  });
}

function segments(run: string, start: number): readonly Token[] {
  return [...segmenter.segment(run)].map(({ segment, index }) => ({
    term: fold(segment.slice(0, MAX_TERM_LENGTH)),
    start: start + index,
    end: start + index + segment.length,
  }));
}
