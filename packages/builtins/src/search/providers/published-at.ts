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
