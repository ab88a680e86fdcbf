import type { Temporal } from "temporal-polyfill";
import { DateTimeError } from "./datetime-error.ts";

const TOKEN = /'((?:[^']|'')*)'|([a-zA-Z])\2*|[^a-zA-Z']+|'/g;

type Field = (moment: Temporal.ZonedDateTime, locale: string) => string;

const pad = (value: number, digits: number) => String(value).padStart(digits, "0");
const named =
  (options: Intl.DateTimeFormatOptions, part: Intl.DateTimeFormatPartTypes): Field =>
  (moment, locale) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: moment.timeZoneId, calendar: "gregory" });
    return format.formatToParts(moment.epochMilliseconds).find(({ type }) => type === part)?.value ?? "";
  };
const offset = (moment: Temporal.ZonedDateTime, colon: string) => moment.offset.replace(":", colon);

/** The fields of Unicode LDML (UTS 35) that a pattern may contain. */
const FIELDS: ReadonlyMap<string, Field> = new Map<string, Field>([
  ["yyyy", ({ year }) => pad(year, 4)],
  ["yy", ({ year }) => pad(year % 100, 2)],
  ["Q", ({ month }) => String(Math.ceil(month / 3))],
  ["MMMM", named({ month: "long", day: "numeric" }, "month")],
  ["MMM", named({ month: "short", day: "numeric" }, "month")],
  ["MM", ({ month }) => pad(month, 2)],
  ["M", ({ month }) => String(month)],
  ["dd", ({ day }) => pad(day, 2)],
  ["d", ({ day }) => String(day)],
  ["DDD", ({ dayOfYear }) => pad(dayOfYear, 3)],
  ["EEEE", named({ weekday: "long" }, "weekday")],
  ["EEE", named({ weekday: "short" }, "weekday")],
  ["HH", ({ hour }) => pad(hour, 2)],
  ["H", ({ hour }) => String(hour)],
  ["hh", ({ hour }) => pad(hour % 12 === 0 ? 12 : hour % 12, 2)],
  ["h", ({ hour }) => String(hour % 12 === 0 ? 12 : hour % 12)],
  ["mm", ({ minute }) => pad(minute, 2)],
  ["ss", ({ second }) => pad(second, 2)],
  ["SSS", ({ millisecond }) => pad(millisecond, 3)],
  ["a", named({ hour: "numeric", hour12: true }, "dayPeriod")],
  ["xxx", (moment) => offset(moment, ":")],
  ["xx", (moment) => offset(moment, "")],
  ["XXX", (moment) => (moment.offsetNanoseconds === 0 ? "Z" : offset(moment, ":"))],
  ["VV", ({ timeZoneId }) => timeZoneId],
  ["YYYY", ({ yearOfWeek }) => pad(yearOfWeek ?? 0, 4)],
  ["ww", ({ weekOfYear }) => pad(weekOfYear ?? 0, 2)],
  ["e", ({ dayOfWeek }) => String(dayOfWeek)],
]);

/**
 * Formats a moment by a pattern of Unicode LDML fields such as `EEEE, d MMMM yyyy 'at' HH:mm`. Literal text is in
 * quotes; `YYYY`, `ww` and `e` refer to the ISO week.
 *
 * @throws DateTimeError for an unknown field, or for `YYYY` without `ww`.
 */
export function formatPattern(moment: Temporal.ZonedDateTime, pattern: string, locale: string): string {
  const parts = [...pattern.matchAll(TOKEN)].map(([token, quoted, letter]) => ({ token, quoted, letter }));
  const fields = new Set(parts.filter(({ letter }) => letter !== undefined).map(({ token }) => token));
  const hint = hintFor(pattern, parts);
  if (fields.has("YYYY") !== fields.has("ww")) {
    throw new DateTimeError("YYYY is the year of the ISO week and needs ww; the calendar year is yyyy", hint);
  }
  return parts
    .map(({ token, quoted, letter }) => {
      if (quoted !== undefined) return quoted === "" ? "'" : quoted.replaceAll("''", "'");
      if (token === "'") throw new DateTimeError("a quote is not closed; write '' for a literal quote");
      if (letter === undefined) return token;
      const field = FIELDS.get(token);
      if (field !== undefined) return field(moment, locale);
      throw new DateTimeError(`${token} is not a pattern field; the fields are ${[...FIELDS.keys()].join(" ")}`, hint);
    })
    .join("");
}

/** The LDML fields for fields of other pattern languages. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ["YYYY", "yyyy"],
  ["YY", "yy"],
  ["y", "yyyy"],
  ["D", "d"],
  ["DD", "dd"],
  ["dddd", "EEEE"],
  ["ddd", "EEE"],
  ["A", "a"],
  ["m", "mm"],
  ["s", "ss"],
  ["Z", "xxx"],
  ["ZZ", "xx"],
  ["x", "xx"],
  ["z", "VV"],
  ["E", "EEE"],
  ["EE", "EEE"],
]);

/** Suggests the pattern that was probably meant, if each of its fields has a known equivalent. */
function hintFor(pattern: string, parts: readonly { readonly token: string; readonly letter: string | undefined }[]) {
  const usual = "write for example yyyy-MM-dd HH:mm, and put words in single quotes";
  if (pattern.includes("%")) return usual;
  const meant = parts.map(({ token, letter }) => {
    if (letter === undefined) return token;
    return MEANT.get(token) ?? (FIELDS.has(token) ? token : undefined);
  });
  return meant.includes(undefined) ? usual : `write ${meant.join("")}`;
}
