import { findSpans, outside, type Span } from "./span.ts";
import { stem } from "./words.ts";

/** An identifier of the question. */
export interface IdentifierMention extends Span {
  /** Stem of the word in front of it, as `order` of "order ORD-1"; of a list, of its first. Empty: there is none. */
  readonly before: string;
}

/** Order numbers, article numbers, ids: `ORD-12345`, `INV_2026_7`, `A1234`, `#4711`, `WIDGET-BLUE`. */
export function findIdentifiers(text: string, taken: readonly Span[]): readonly IdentifierMention[] {
  const tokens = findSpans(
    text,
    /(?<![\w.@-])#?((?=[\p{L}_-]{0,60}\d|\p{Lu}{2,30}[-_])[\p{L}\d]+(?:[-_][\p{L}\d]+)*)(?![\w@])/gu,
  );
  const found: IdentifierMention[] = [];
  for (const token of outside(tokens, taken)) {
    if (!isIdentifier(token.text, text[token.start - 1] === "#")) continue;
    const previous = found.at(-1);
    const between = previous === undefined ? "" : text.slice(previous.end, token.start);
    const isListed = previous !== undefined && /^(?:,|,? and|,? or) #?$/.test(between);
    found.push({ ...token, before: isListed ? previous.before : wordBefore(text, token) });
  }
  return found;
}

function wordBefore(text: string, { start }: Span): string {
  const lead = /(\p{L}+)[\s#:=]*$/u.exec(text.slice(Math.max(0, start - 40), start));
  return lead?.[1] === undefined ? "" : stem(lead[1]);
}

function isIdentifier(token: string, hasHash: boolean): boolean {
  if (/^\d+$/.test(token)) return hasHash || token.length >= 4;
  if (/^[\d_-]+$/.test(token)) return false;
  if (!/\d/.test(token)) return /^[A-Z]{2,}(?:[-_][A-Z]{2,})+$/.test(token);
  // "5kg", "24-hour" and "Q3" are quantities and shorthand.
  return token.length >= 4 && !/^\d+-?\p{L}+$/u.test(token);
}

/**
 * What two identifiers of one kind have in common: `ORD-12345` and `ORD-7` are both `A-9`.
 */
export function shapeOf(identifier: string): string {
  return identifier
    .replace(/\p{Lu}+/gu, "A")
    .replace(/\p{Ll}+/gu, "a")
    .replace(/\d+/g, "9");
}

/** The letters in front: `ord` of `ORD-12345`; empty where there are none. */
export function prefixOf(identifier: string): string {
  return /^\p{L}+(?=[-_\d])/u.exec(identifier)?.[0].toLowerCase() ?? "";
}

/** Whether letters may stand for a word: `ord` and `odr` for `order`, `inv` for `invoice`. */
export function abbreviates(letters: string, word: string): boolean {
  if (letters.length < 2 || letters[0] !== word[0]) return false;
  let position = 0;
  for (const letter of letters) {
    position = word.indexOf(letter, position) + 1;
    if (position === 0) return false;
  }
  return true;
}
