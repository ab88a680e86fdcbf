import { defined } from "@yagate/lib/objects/defined";
import * as z from "zod";
import type { SearchHit } from "../port.ts";

const MAX_TITLE_CHARACTERS = 300;
/** Maximum length of a URL. Longer URLs are not worth citing. */
const MAX_URL_CHARACTERS = 2_048;
const MAX_SNIPPET_CHARACTERS = 2_000;
const MAX_NAME_CHARACTERS = 100;
/** Maximum ratio of a raw excerpt to its plain text, which is shorter because tags are removed and entities decoded. */
const MAX_MARKUP = 10;

/** Schema for a string in a response that may be missing or invalid. */
export const optionalText = z.string().nullish().catch(undefined);

/**
 * Creates a schema for a list of results that parses them one by one. Invalid rows are dropped, but a list with only
 * invalid rows is an error.
 *
 * @param row - the schema of a row.
 */
export function rowsOf<Row>(row: z.ZodType<Row>) {
  return z.array(z.unknown()).transform((rows, context): readonly Row[] => {
    const read = rows.flatMap((one) => {
      const { data } = row.safeParse(one);
      return data === undefined ? [] : [data];
    });
    if (rows.length > 0 && read.length === 0) context.addIssue({ code: "custom", message: "expected results" });
    return read;
  });
}

/** The fields of a match, as services return them. */
export interface HitParts {
  readonly title?: string | null | undefined;
  readonly url: string;
  readonly snippet: string | null | undefined;
  readonly content?: string | null | undefined;
  readonly publishedAt?: string | undefined;
  readonly siteName?: string | null | undefined;
  readonly language?: string | null | undefined;
}

/** Converts matches to hits, and drops those whose URL is too long or not http or https. */
export function toHits(parts: readonly HitParts[]): readonly SearchHit[] {
  return parts.flatMap((hit) => {
    const { protocol } = URL.parse(hit.url) ?? {};
    if ((protocol !== "https:" && protocol !== "http:") || hit.url.length > MAX_URL_CHARACTERS) return [];
    const title = plain(hit.title, MAX_TITLE_CHARACTERS);
    return {
      title: title === "" ? hit.url : title,
      url: hit.url,
      snippet: plain(hit.snippet, MAX_SNIPPET_CHARACTERS),
      ...(hit.content ? { content: hit.content } : {}),
      ...defined({ publishedAt: hit.publishedAt }),
      ...(hit.siteName ? { siteName: plain(hit.siteName, MAX_NAME_CHARACTERS) } : {}),
      ...(hit.language ? { language: hit.language } : {}),
    };
  });
}

function plain(text: string | null | undefined, maxCharacters: number): string {
  return plainText((text ?? "").slice(0, maxCharacters * MAX_MARKUP)).slice(0, maxCharacters);
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  middot: "·",
};

/** Removes the highlighting tags from a title or excerpt, and decodes entities once. */
export function plainText(text: string): string {
  const untagged = text.replace(/<\/?(?:strong|b|em|i|mark|br)\s*\/?>/gi, "");
  return untagged
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) =>
      decoded(whole, decimal, hex, name),
    )
    .replace(/\s+/g, " ")
    .trim();
}

function decoded(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  const isCharacter = code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : whole;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_629_746_000,
  year: 31_556_952_000,
};
const AGO = /^(\d{1,3}) (minute|hour|day|week|month|year)s? ago$/i;
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH_FIRST = /^([A-Z][a-z]{2,8})\.? (\d{1,2}), (\d{4})$/;
const DAY_FIRST =
  /^(?:[A-Z][a-z]{2}, )?(\d{1,2}) ([A-Z][a-z]{2,8})\.? (\d{4})(?: (\d{2}):(\d{2}):(\d{2}) (?:GMT|UTC|\+0000))?$/;

/**
 * Parses the date formats of search services: ISO 8601, `Apr 3, 2024`, `3 Apr 2024`, RFC 9110 dates, `2 days ago`.
 *
 * @param now - ms since the epoch, for relative dates.
 * @returns ISO 8601, without a time if the text contains none; `undefined` for any other text.
 */
export function publishedAt(text: string | null | undefined, now: number): string | undefined {
  const value = text?.trim() ?? "";
  if (ISO.test(value)) return isoOf(value);
  const ago = AGO.exec(value);
  if (ago !== null) {
    const ageMs = Number(ago[1]) * (UNIT_MS[ago[2]?.toLowerCase() ?? ""] ?? 0);
    return new Date(now - ageMs).toISOString().slice(0, 10);
  }
  const monthFirst = MONTH_FIRST.exec(value);
  if (monthFirst !== null) return dateOf(monthFirst[3], monthFirst[1], monthFirst[2]);
  const dayFirst = DAY_FIRST.exec(value);
  if (dayFirst === null) return undefined;
  const date = dateOf(dayFirst[3], dayFirst[2], dayFirst[1]);
  if (date === undefined || dayFirst[4] === undefined) return date;
  return isoOf(`${date}T${dayFirst[4]}:${dayFirst[5]}:${dayFirst[6]}Z`);
}

function isoOf(value: string): string | undefined {
  const [date = "", time] = value.split(/[T ]/);
  if (!isDate(date)) return undefined;
  if (time === undefined) return date;
  // Without a zone, the date would be parsed in local time.
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(time) ? time : `${time}Z`;
  const at = Date.parse(`${date}T${zoned.replace(/([+-]\d{2})(\d{2})$/, "$1:$2")}`);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

function dateOf(year = "", month = "", day = ""): string | undefined {
  const index = MONTHS.indexOf(month.slice(0, 3).toLowerCase());
  const date = `${year}-${String(index + 1).padStart(2, "0")}-${day.padStart(2, "0")}`;
  return index >= 0 && isDate(date) ? date : undefined;
}

function isDate(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}
