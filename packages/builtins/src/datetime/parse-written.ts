import { Temporal } from "temporal-polyfill";
import { DateTimeError } from "./datetime-error.ts";
import { checkDate, checkTime } from "./explain-moment.ts";
import { type DateOrder, WEEKDAYS } from "./names.ts";

/** The order of day and month in a date such as 03/04/2026. */
/** A date that was not written in ISO 8601, with its time and offset if present. */
export interface WrittenDate {
  readonly date: Temporal.PlainDate;
  readonly time?: Temporal.PlainTime;
  /** `Z`, or an offset such as +01:00. */
  readonly offset?: string;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH =
  "(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const WEEKDAY = "(?:(?<weekday>mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\\.?,?\\s+)?";
const TIME = "(?<hour>\\d{1,2})(?::(?<minute>\\d{2})(?::(?<second>\\d{2}))?)?\\s*(?<half>[ap]\\.?m\\.?)?";
const ZONE = "(?<zone>z|utc|ut|gmt|[ecmp][sd]t|[a-z]{2,5}|[+-]\\d{2}:?\\d{2}|(?:utc|gmt)[+-]\\d{1,2}(?::?\\d{2})?)";
const AFTER = `(?:(?:,|\\s+at|t)?\\s*${TIME}(?:\\s*${ZONE})?)?`;

const FORMS: readonly RegExp[] = [
  // 21 November 2026, Sat, 21 Nov 2026 09:30:00 +0100 (RFC 2822, HTTP), Sunday, 06-Nov-94 (RFC 850)
  new RegExp(
    `^${WEEKDAY}(?<day>\\d{1,2})(?:st|nd|rd|th)?(?:\\s+of)?[\\s-]+${MONTH},?[\\s-]+(?<year>\\d{4}|\\d{2})${AFTER}$`,
    "i",
  ),
  // November 21, 2026 at 9:30 pm
  new RegExp(`^${WEEKDAY}${MONTH}\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?,?\\s+(?<year>\\d{4})${AFTER}$`, "i"),
  // Sun Nov  6 08:49:37 1994 (asctime)
  new RegExp(`^${WEEKDAY}${MONTH}\\s+(?<day>\\d{1,2})\\s+${TIME}\\s+(?:${ZONE}\\s+)?(?<year>\\d{4})$`, "i"),
  // 2026/11/21, 2026.11.21, 2026-11-21 9:30 pm
  new RegExp(`^(?<year>\\d{4})[/.-](?<monthNumber>\\d{1,2})[/.-](?<day>\\d{1,2})${AFTER}$`, "i"),
];
/** Matches the week dates and ordinal dates of ISO 8601. */
const ISO_DAY = /^(?<year>\d{4})-?(?:W(?<week>\d{2})-?(?<dayOfWeek>[1-7])|(?<dayOfYear>\d{3}))$/i;
const NUMERIC = new RegExp(`^(?<first>\\d{1,2})(?<mark>[/.-])(?<other>\\d{1,2})\\k<mark>(?<year>\\d{4})${AFTER}$`, "i");
/** The zones of RFC 2822, section 4.3, and their offsets. Other abbreviations are ambiguous. */
const OFFSETS: ReadonlyMap<string, string> = new Map([
  ...["z", "ut", "utc", "gmt"].map((name) => [name, "Z"] as const),
  ["edt", "-04:00"],
  ["est", "-05:00"],
  ["cdt", "-05:00"],
  ["cst", "-06:00"],
  ["mdt", "-06:00"],
  ["mst", "-07:00"],
  ["pdt", "-07:00"],
  ["pst", "-08:00"],
]);

type Parts = Readonly<Record<string, string | undefined>>;

/**
 * Parses a date in a form that people or protocols write: RFC 2822, HTTP dates, `21 November 2026 at 9:30 pm`,
 * `November 21, 2026`, `2026/11/21`, `21.11.2026`. Names are English. A date such as 03/04/2026 needs an explicit
 * order.
 *
 * @returns `undefined` for a text in another form.
 * @throws DateTimeError for an ambiguous or impossible date in one of these forms; RangeError for a week or day that
 *   the year does not have.
 */
export function parseWritten(text: string, order: DateOrder | undefined): WrittenDate | undefined {
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups;
    if (parts !== undefined) return toWritten(parts, Number(parts["day"]), monthOf(parts));
  }
  const iso = ISO_DAY.exec(text)?.groups;
  if (iso !== undefined) return { date: isoDay(iso) };
  const numeric = NUMERIC.exec(text)?.groups;
  if (numeric === undefined) return undefined;
  const { first = "", other = "", mark = "" } = numeric;
  const isDayFirst = dayFirst(Number(first), Number(other), mark, order);
  return toWritten(numeric, Number(isDayFirst ? first : other), Number(isDayFirst ? other : first));
}

/** Converts an ISO week date or ordinal date. @throws RangeError for a week or day that the year does not have. */
function isoDay({ year, week, dayOfWeek, dayOfYear }: Parts): Temporal.PlainDate {
  const first = Temporal.PlainDate.from({ year: Number(year), month: 1, day: 1 });
  if (week === undefined) {
    const date = first.add({ days: Number(dayOfYear) - 1 });
    if (date.year === Number(year)) return date;
    throw new RangeError("the year has fewer days");
  }
  // 4 January is always in the first week of its year.
  const fourth = first.add({ days: 3 });
  const date = fourth.add({ days: 7 * (Number(week) - 1) + Number(dayOfWeek) - fourth.dayOfWeek });
  if (date.weekOfYear === Number(week) && date.yearOfWeek === Number(year)) return date;
  throw new RangeError("the year has fewer weeks");
}

function dayFirst(first: number, other: number, mark: string, order: DateOrder | undefined): boolean {
  if (order !== undefined) return order === "DMY";
  // A date with dots always starts with the day.
  if (mark === "." || first > 12) return true;
  if (other > 12 || first === other) return false;
  throw new DateTimeError(
    `${first}${mark}${other}${mark}… can be day ${first} of month ${other}, or day ${other} of month ${first}`,
    'write it as year-month-day, or set dateOrder to "DMY" or "MDY"',
  );
}

function monthOf({ month = "", monthNumber }: Parts): number {
  return monthNumber === undefined ? MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1 : Number(monthNumber);
}

function toWritten(parts: Parts, day: number, month: number): WrittenDate {
  const year = yearOf(parts);
  checkDate(year, month, day);
  const date = Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" });
  checkWeekday(parts, date);
  if (parts["hour"] === undefined) return { date };
  const time = timeOf(parts);
  const { zone } = parts;
  return zone === undefined ? { date, time } : { date, time, offset: offsetOf(zone) };
}

/**
 * Returns the full year. In old standard formats, which contain a weekday and a time, a two-digit year is expanded as
 * in RFC 2822.
 */
function yearOf({ year = "", weekday, hour }: Parts): number {
  if (year.length === 4) return Number(year);
  if (weekday === undefined || hour === undefined) {
    throw new DateTimeError("the year needs four digits", "write the full year, such as 2026");
  }
  return Number(year) + (Number(year) < 50 ? 2000 : 1900);
}

function timeOf({ hour = "", minute, second = "0", half }: Parts): Temporal.PlainTime {
  const number = Number(hour);
  if (half === undefined) {
    if (minute === undefined) throw new DateTimeError(`${hour} is not a time: write ${hour}:00, or add am or pm`);
    checkTime(number, Number(minute), Number(second));
    // A leap second becomes the last second of its minute, as in Temporal.
    const seconds = second === "60" ? 59 : Number(second);
    return Temporal.PlainTime.from({ hour: number, minute: Number(minute), second: seconds }, { overflow: "reject" });
  }
  if (number < 1 || number > 12)
    throw new DateTimeError(`${hour} ${half} is not a time: am and pm need an hour from 1 to 12`);
  checkTime(number, Number(minute ?? 0), Number(second));
  const isAfternoon = half.toLowerCase().startsWith("p");
  return Temporal.PlainTime.from(
    { hour: (number % 12) + (isAfternoon ? 12 : 0), minute: Number(minute ?? 0), second: Number(second) },
    { overflow: "reject" },
  );
}

function offsetOf(zone: string): string {
  const known = OFFSETS.get(zone.toLowerCase());
  if (known !== undefined) return known;
  const [, sign, hours = "", minutes = "00"] = /^(?:utc|gmt)?([+-])(\d{1,2}):?(\d{2})?$/i.exec(zone) ?? [];
  if (sign !== undefined) return `${sign}${hours.padStart(2, "0")}:${minutes}`;
  throw new DateTimeError(
    `${zone} is not an abbreviation for exactly one time zone`,
    "give the offset, such as +01:00, or the zone's IANA name in timezone",
  );
}

function checkWeekday({ weekday }: Parts, date: Temporal.PlainDate): void {
  const actual = WEEKDAYS[date.dayOfWeek - 1] ?? "";
  if (weekday === undefined || actual.startsWith(weekday.slice(0, 3).toLowerCase())) return;
  throw new DateTimeError(
    `${date} is a ${actual}, not the weekday in the text`,
    "correct the weekday or the date, or leave the weekday out",
  );
}
