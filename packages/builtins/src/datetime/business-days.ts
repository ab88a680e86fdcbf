import type { Temporal } from "temporal-polyfill";
import { DateTimeError } from "./datetime-error.ts";
import type { Weekday } from "./names.ts";
import { dayNumber } from "./weekday.ts";

/** The days that count as business days. */
export interface BusinessCalendar {
  readonly weekend: readonly Weekday[];
  readonly holidays: readonly Temporal.PlainDate[];
}

const MS_PER_DAY = 86_400_000;
/** Maximum distance between the two dates of a count, in days: ten thousand years. */
const MAX_DAYS = 3_660_000;
/** The weekday of 1970-01-01: Thursday. */
const EPOCH_WEEKDAY = 4;

/**
 * Returns the count-th business day after a day, or before it if `count` is negative. The day itself never counts.
 *
 * @throws DateTimeError for a week without business days.
 */
export function addBusinessDays(
  date: Temporal.PlainDate,
  count: number,
  calendar: BusinessCalendar,
): Temporal.PlainDate {
  const isBusiness = businessDayTest(calendar);
  const step = count < 0 ? -1 : 1;
  const start = dayOf(date);
  let day = start;
  for (let left = Math.abs(count); left > 0; ) {
    day += step;
    if (isBusiness(day)) left -= 1;
  }
  return date.add({ days: day - start });
}

/** The number of business days between two days. */
export interface BusinessDayCount {
  /** Number of business days, counting the second day but not the first; negative if the second day is earlier. */
  readonly businessDays: number;
  /** Number of business days, counting both days. */
  readonly businessDaysInclusive: number;
  readonly calendarDays: number;
}

/**
 * Counts business days.
 *
 * @throws DateTimeError if the days are more than ten thousand years apart, or for a week without business days.
 */
export function countBusinessDays(
  start: Temporal.PlainDate,
  end: Temporal.PlainDate,
  calendar: BusinessCalendar,
): BusinessDayCount {
  const isBusiness = businessDayTest(calendar);
  const [from, to] = [dayOf(start), dayOf(end)];
  const [first, last] = from <= to ? [from, to] : [to, from];
  if (last - first > MAX_DAYS) throw new DateTimeError("end: must be within ten thousand years of datetime");
  let inclusive = 0;
  for (let day = first; day <= last; day++) if (isBusiness(day)) inclusive += 1;
  const elapsed = inclusive - (isBusiness(from) ? 1 : 0);
  return {
    businessDays: from <= to ? elapsed : -elapsed + 0,
    businessDaysInclusive: inclusive,
    calendarDays: to - from,
  };
}

function businessDayTest({ weekend, holidays }: BusinessCalendar): (day: number) => boolean {
  const off = new Set(weekend.map(dayNumber));
  if (off.size === 7) throw new DateTimeError("weekend: at least one day of the week must be a business day");
  const free = new Set(holidays.map(dayOf));
  return (day) => !off.has(((((day + EPOCH_WEEKDAY - 1) % 7) + 7) % 7) + 1) && !free.has(day);
}

function dayOf(date: Temporal.PlainDate): number {
  return Math.floor(date.toZonedDateTime("UTC").epochMilliseconds / MS_PER_DAY);
}
