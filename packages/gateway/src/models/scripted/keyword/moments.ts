import { findSpans, type Span } from "./span.ts";

/** A day of the question, as `2026-11-23`. */
export interface DayMention extends Span {
  readonly day: string;
}

const DAY_MS = 86_400_000;
const RELATIVE_DAYS = new Map([
  ["yesterday", -1],
  ["today", 0],
  ["tonight", 0],
  ["tomorrow", 1],
]);

/** ISO dates, and today, tomorrow and yesterday in UTC. */
export function findDays(text: string, nowMs: number): readonly DayMention[] {
  const dates = findSpans(text, /\b\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)/g).map((span) => ({
    ...span,
    day: span.text,
  }));
  const relative = findSpans(text, /\b(?:yesterday|today|tonight|tomorrow)\b/gi).map((span) => {
    const days = RELATIVE_DAYS.get(span.text.toLowerCase()) ?? 0;
    return { ...span, day: new Date(nowMs + days * DAY_MS).toISOString().slice(0, 10) };
  });
  return [...dates, ...relative].sort((left, right) => left.start - right.start);
}

/** A time of day, as `15:00`. */
export interface TimeMention extends Span {
  readonly time: string;
}

/** `15:00`, `T15:00:30Z` and `3 pm`. */
export function findTimes(text: string): readonly TimeMention[] {
  const clock = findSpans(text, /(?<!\d)(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?/g);
  const spoken = findSpans(text, /(?<![\d:])(?:1[0-2]|[1-9]) ?[ap]\.?m\b/gi);
  return [
    ...clock.map((span) => toTime(span, Number.parseInt(span.text, 10), /:(\d\d)/.exec(span.text)?.[1] ?? "00")),
    ...spoken.map((span) =>
      toTime(span, (Number.parseInt(span.text, 10) % 12) + (/p/i.test(span.text) ? 12 : 0), "00"),
    ),
  ].sort((left, right) => left.start - right.start);
}

function toTime(span: Span, hours: number, minutes: string): TimeMention {
  return { ...span, time: `${String(hours).padStart(2, "0")}:${minutes}` };
}

/** A full RFC 3339 time of the question as it stands there. */
export function findTimestamps(text: string): readonly Span[] {
  return findSpans(text, /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)/g);
}
