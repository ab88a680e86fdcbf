import type { Temporal } from "temporal-polyfill";
import { lengthIn } from "./measure.ts";
import type { Period } from "./names.ts";
import { type CalendarPeriod, firstDay } from "./period.ts";

const UNITS = ["year", "month", "day", "hour", "minute", "second"] as const;

/** The distance between two moments, as a number of one unit and as text. */
export interface RelativeTime {
  /** For example `in 3 days`, `2 hours ago`, `tomorrow`. */
  readonly text: string;
  /** The number of units; negative for a moment in the past. */
  readonly value: number;
  readonly unit: Period;
}

/**
 * Describes a moment relative to another one in the same zone, in the given unit or in the largest unit that fits at
 * least once. Days are calendar days: late in the evening, the early morning after the next one is in 2 days. Other
 * units count elapsed time, rounded to the nearest whole number, halves away from zero. A phrase such as "next month"
 * is used only if the calendar agrees; otherwise the text is "in 1 month".
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
  // Turns -0 into 0.
  const value = rounded + 0;
  const numeric = inCalendar === value ? "auto" : "always";
  const format = new Intl.RelativeTimeFormat(locale, { numeric });
  return { text: format.format(value, chosen).replace(/[\u202f\u00a0]/g, " "), value, unit: chosen };
}

/** Returns the distance between two moments in whole calendar or clock periods. */
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
