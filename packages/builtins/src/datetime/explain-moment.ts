import { Temporal } from "temporal-polyfill";
import { DateTimeError } from "./datetime-error.ts";

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];
const NEAR_DAY = /^(?<day>yesterday|today|tomorrow)(?:,|\s+at)?\s+(?<time>\S.*)$/i;
const TIME = /^(?<hour>\d{1,2})(?::?(?<minute>\d{2}))?(?::(?<second>\d{2}))?\s*(?<half>[ap])?(?:\.?m\.?)?$/i;
const HAS_DATE = /^(?<year>\d{4})-(?<month>\d{2})(?:-(?<day>\d{2}))?(?!\d)/;
const HAS_TIME = /[Tt ](?<hour>\d{2}):?(?<minute>\d{2})?(?::?(?<second>\d{2}))?/;
const DAY_OF_YEAR = /^(?<year>\d{4})-?(?<dayOfYear>\d{3})$/;
const WEEK = /^(?<year>\d{4})-?W(?<week>\d{2})(?:-?(?<day>\d))?$/i;
const TWO_DIGIT_YEAR = /^(?<first>\d{1,2})(?<mark>[/.-])(?<other>\d{1,2})\k<mark>\d{2}(?!\d)/;

/** Explains why a text cannot be read, and what to write instead; undefined if the reason is unclear. */
export function explainMoment(text: string, today: Temporal.PlainDate): DateTimeError | undefined {
  return explainNear(text, today) ?? explainPart(text, today) ?? explainDate(text) ?? explainTime(text);
}

/** Checks that a date exists. @throws DateTimeError for a month or day that does not exist. */
export function checkDate(year: number, month: number, day: number): void {
  if (month < 1 || month > 12) throw new DateTimeError(`there is no month ${month}: months are 1 to 12`);
  const { daysInMonth } = Temporal.PlainYearMonth.from({ year, month });
  if (day >= 1 && day <= daysInMonth) return;
  throw new DateTimeError(`there is no day ${day}: ${MONTHS[month - 1]} ${year} has ${daysInMonth} days`);
}

/** Checks that a time exists. @throws DateTimeError for an hour, minute or second that does not exist. */
export function checkTime(hour: number, minute: number, second: number): void {
  if (hour === 24 && minute === 0) {
    throw new DateTimeError("24:00 is not a time of day: write 00:00 on the next day");
  }
  if (hour > 23) throw new DateTimeError(`there is no hour ${hour}: times range from 00:00 to 23:59`);
  if (minute > 59) throw new DateTimeError(`there is no minute ${minute}: times range from 00:00 to 23:59`);
  if (second > 60) throw new DateTimeError(`there is no second ${second}: a minute has 60`);
}

function explainNear(text: string, today: Temporal.PlainDate): DateTimeError | undefined {
  const { day = "", time = "" } = NEAR_DAY.exec(text)?.groups ?? {};
  const clock = readTime(time);
  if (clock === undefined) return undefined;
  const days = { yesterday: -1, today: 0, tomorrow: 1 }[day.toLowerCase()] ?? 0;
  return new DateTimeError(`${day} with a time is not supported`, `write ${today.add({ days })}T${clock}`);
}

/** Explains a text that contains only a time, a year or a month. */
function explainPart(text: string, today: Temporal.PlainDate): DateTimeError | undefined {
  if (/^\d{4}$/.test(text)) {
    return new DateTimeError(`${text} is a year or a time, not a day`, `write a complete date, such as ${text}-01-01`);
  }
  const month = /^(?<year>\d{4})-(?<month>0[1-9]|1[0-2])$/.exec(text)?.groups;
  if (month !== undefined) {
    return new DateTimeError(`${text} is a month, not a day`, `write a complete date, such as ${text}-01`);
  }
  const clock = /[:apm]/i.test(text) ? readTime(text) : undefined;
  if (clock === undefined) return undefined;
  return new DateTimeError("a time alone has no day", `write it with its day, such as ${today}T${clock}`);
}

function explainDate(text: string): DateTimeError | undefined {
  if (TWO_DIGIT_YEAR.test(text)) {
    return new DateTimeError("a two-digit year is not supported", "write the full year, such as 2026-11-21");
  }
  const ordinal = DAY_OF_YEAR.exec(text)?.groups;
  if (ordinal !== undefined) {
    const { daysInYear } = Temporal.PlainDate.from({ year: Number(ordinal["year"]), month: 1, day: 1 });
    return new DateTimeError(`there is no day ${ordinal["dayOfYear"]}: ${ordinal["year"]} has ${daysInYear} days`);
  }
  const week = WEEK.exec(text)?.groups;
  if (week !== undefined) {
    const year = Number(week["year"]);
    if (week["day"] === undefined) {
      return new DateTimeError(`${text} is a week, not a day`, `add the day of the week: ${text}-1 is its Monday`);
    }
    // 28 December is always in the last week of its year.
    const { weekOfYear } = Temporal.PlainDate.from({ year, month: 12, day: 28 });
    return new DateTimeError(`there is no week ${week["week"]}, day ${week["day"]}: ${year} has ${weekOfYear} weeks`);
  }
  const date = HAS_DATE.exec(text)?.groups;
  if (date === undefined) return undefined;
  return caught(() => checkDate(Number(date["year"]), Number(date["month"]), Number(date["day"] ?? 1)));
}

function explainTime(text: string): DateTimeError | undefined {
  const { hour, minute, second } = HAS_TIME.exec(text)?.groups ?? {};
  if (hour === undefined) return undefined;
  return caught(() => checkTime(Number(hour), Number(minute ?? 0), Number(second ?? 0)));
}

function caught(check: () => void): DateTimeError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof DateTimeError) return error;
    throw error;
  }
}

/** Returns the time in a text such as 5pm or 17:30, in ISO 8601 form. */
function readTime(text: string): string | undefined {
  const { hour, minute = "00", half } = TIME.exec(text.trim())?.groups ?? {};
  if (hour === undefined || Number(minute) > 59) return undefined;
  const number = Number(hour);
  if (half === undefined) return number > 23 ? undefined : `${hour.padStart(2, "0")}:${minute}`;
  if (number < 1 || number > 12) return undefined;
  return `${String((number % 12) + (half.toLowerCase() === "p" ? 12 : 0)).padStart(2, "0")}:${minute}`;
}
