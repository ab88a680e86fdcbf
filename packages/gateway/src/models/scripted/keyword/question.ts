import { type Expression, findExpressions } from "./expressions.ts";
import { findIdentifiers, type IdentifierMention } from "./identifiers.ts";
import { type DayMention, findDays, findTimes, findTimestamps, type TimeMention } from "./moments.ts";
import { findNames, type NameMention } from "./names.ts";
import { findNumbers, type NumberMention } from "./numbers.ts";
import { blank, findSpans, outside, type Span } from "./span.ts";
import { findZones, type ZoneMention } from "./time-zones.ts";
import { contentStems, readWords, type Word } from "./words.ts";

/** Bounds the work that one question can cost. */
const MAX_QUESTION_LENGTH = 4_000;

/** The latest user input, with everything in it that could be a parameter. */
export interface Question {
  readonly text: string;
  readonly words: readonly Word[];
  /** Stems of all words. */
  readonly stems: ReadonlySet<string>;
  /** Stems of the words that say something. */
  readonly contentStems: ReadonlySet<string>;
  readonly emails: readonly Span[];
  readonly urls: readonly Span[];
  /** Without the quotation marks. */
  readonly quotes: readonly Span[];
  readonly identifiers: readonly IdentifierMention[];
  readonly numbers: readonly NumberMention[];
  readonly timestamps: readonly Span[];
  readonly days: readonly DayMention[];
  readonly times: readonly TimeMention[];
  readonly zones: readonly ZoneMention[];
  readonly names: readonly NameMention[];
  readonly expressions: readonly Expression[];
}

/** @param nowMs - ms since the epoch; what `tomorrow` is counted from. */
export function readQuestion(input: string, nowMs: number): Question {
  const text = input.slice(0, MAX_QUESTION_LENGTH);
  const emails = findSpans(text, /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g);
  const urls = findSpans(text, /\bhttps?:\/\/[^\s"'<>]+[^\s"'<>.,;:!?)]/gi);
  const quotes = findQuotes(text);
  const addresses = [...emails, ...urls];
  const timestamps = findTimestamps(text);
  const days = findDays(text, nowMs);
  const times = outside(findTimes(text), addresses);
  const moments = [...timestamps, ...days, ...times];
  const identifiers = findIdentifiers(text, [...addresses, ...moments]);
  const zones = findZones(text);
  // "7 times 6" asks for no time.
  const prose = blank(text, findSpans(text, /\btimes(?= \d)/gi));
  const words = readWords(prose);
  return {
    text,
    words,
    stems: new Set(words.map((word) => word.stem)),
    contentStems: contentStems(prose),
    emails,
    urls,
    quotes,
    identifiers,
    numbers: findNumbers(text, [...addresses, ...moments, ...identifiers.filter(hasLetter)]),
    timestamps,
    days,
    times,
    zones,
    names: findNames(text, [...addresses, ...identifiers]),
    expressions: findExpressions(text, [...addresses, ...moments, ...identifiers.filter(hasLetter)]),
  };
}

function hasLetter({ text }: Span): boolean {
  return /\p{L}/u.test(text);
}

function findQuotes(text: string): readonly Span[] {
  const pattern = /"[^"]+"|“[^“”]+”|„[^„“”]+[“”]|«[^«»]+»|(?<![\p{L}\d])'[^']+'(?![\p{L}\d])|`[^`]+`/gu;
  return findSpans(text, pattern).map(({ text: quoted, start, end }) => ({
    text: quoted.slice(1, -1),
    start: start + 1,
    end: end - 1,
  }));
}
