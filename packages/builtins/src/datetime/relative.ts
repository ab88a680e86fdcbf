import type { Temporal } from "temporal-polyfill";
import { lengthIn } from "./measure.ts";
import { type CalendarPeriod, firstDay, type Period } from "./period.ts";

const UNITS = ["year", "month", "day", "hour", "minute", "second"] as const;

/** How far a moment is from another one, in one unit, and as a person says it. */
export interface RelativeTime {
  /** As in `in 3 days`, `2 hours ago`, `tomorrow`. */
  readonly text: string;
  /** Negative in the past. */
  readonly value: number;
  readonly unit: Period;
}

/**
 * Says where a moment lies from another one of the same zone, by the largest unit that is full once, or the given one.
 * Days are those of the calendar: from late in the evening, the early morning after the next is in 2 days. Other units
 * are time that passes, rounded to the nearest whole, halves away from zero. Words such as next month are said only
 * where the calendar has it so; in 1 month otherwise.
 */
export function describeRelative(
  from: Temporal.ZonedDateTime,
  to: Temporal.ZonedDateTime,
  {
    locale,
    unit,
    smallest,
  }: { readonly locale: string; readonly unit: Period | undefined; smallest: "day" | "second" },
): RelativeTime {
  const units = UNITS.slice(0, UNITS.indexOf(smallest) + 1);
  const chosen = unit ?? units.find((one) => Math.abs(lengthIn(from, to, one)) >= 1) ?? smallest;
  const inCalendar = calendarSteps(from, to, chosen);
  const length = lengthIn(from, to, chosen);
  const rounded = chosen === "day" ? inCalendar : Math.sign(length) * Math.round(Math.abs(length));
  // Not -0, which JSON and people write otherwise.
  const value = rounded + 0;
  const numeric = inCalendar === value ? "auto" : "always";
  const format = new Intl.RelativeTimeFormat(locale, { numeric });
  return { text: format.format(value, chosen).replace(/[\u202f\u00a0]/g, " "), value, unit: chosen };
}

/** How many periods of the calendar, or of the clock, the second moment's is after the first one's. */
function calendarSteps(from: Temporal.ZonedDateTime, to: Temporal.ZonedDateTime, period: Period): number {
  if (isClock(period)) return lengthIn(startOnClock(from, period), startOnClock(to, period), period);
  return lengthIn(startInCalendar(from, period), startInCalendar(to, period), period);
}

function startOnClock(zoned: Temporal.ZonedDateTime, period: "hour" | "minute" | "second"): Temporal.ZonedDateTime {
  return zoned.round({ smallestUnit: period, roundingMode: "floor" });
}

function startInCalendar(zoned: Temporal.ZonedDateTime, period: CalendarPeriod): Temporal.PlainDateTime {
  return firstDay(zoned.toPlainDate(), period).toPlainDateTime();
}

function isClock(period: Period): period is "hour" | "minute" | "second" {
  return period === "hour" || period === "minute" || period === "second";
}
