import type { Temporal } from "temporal-polyfill";
import { PERIODS, type Period } from "./names.ts";

type Point = Temporal.PlainDateTime | Temporal.ZonedDateTime;
type Counted = "years" | "months" | "weeks" | "days" | "hours" | "minutes" | "seconds";

/** For each period, the duration field that counts it, and how many units of that field one period has. */
const COUNTED: Readonly<Record<Period, readonly [unit: Counted, count: number]>> = {
  year: ["years", 1],
  quarter: ["months", 3],
  month: ["months", 1],
  week: ["weeks", 1],
  day: ["days", 1],
  hour: ["hours", 1],
  minute: ["minutes", 1],
  second: ["seconds", 1],
};

/**
 * Measures the time from one moment to another in several units. All are whole numbers, except the last, which has a
 * fraction. Years and months are complete by the rule of `until` in Temporal: a month that starts on the 29th to 31st
 * is complete only on a day as late in its month, so 31 January to 28 February is 28 days, not a month.
 *
 * @returns larger units first; negative if the second moment is earlier.
 */
export function measure<T extends Point>(
  from: T,
  to: T,
  units: readonly Period[],
): readonly { readonly period: Period; readonly value: number }[] {
  const ordered = PERIODS.filter((period) => units.includes(period));
  // An empty duration, to which the units are added.
  const taken: Partial<Record<Counted, number>> = { seconds: 0 };
  return ordered.map((period, index) => {
    const [unit, size] = COUNTED[period];
    const whole = wholeUnits(from, to, { period, taken }) + 0;
    const before = taken[unit] ?? 0;
    taken[unit] = before + whole * size;
    if (index < ordered.length - 1) return { period, value: whole };
    const sign = nanosecondsBetween(from, to) < 0n ? -1 : 1;
    const reached = from.add(taken);
    const next = from.add({ ...taken, [unit]: (taken[unit] ?? 0) + sign * size });
    // If a month is too short for the day, the month is complete only on the day after its end.
    const isShort = (unit === "years" || unit === "months") && sign > 0 && next.day < from.day;
    const full = isShort ? next.add({ days: 1 }) : next;
    const fraction = Number(nanosecondsBetween(reached, to)) / Number(nanosecondsBetween(reached, full));
    return { period, value: Number((whole + sign * fraction).toPrecision(15)) + 0 };
  });
}

/** Measures the time in one unit, with its fraction, by the rule of {@link measure}. */
export function lengthIn<T extends Point>(from: T, to: T, unit: Period): number {
  return measure(from, to, [unit])[0]?.value ?? 0;
}

/** Counts the complete periods until the second moment, after the duration that has already been counted. */
function wholeUnits(
  from: Point,
  to: Point,
  { period, taken }: { readonly period: Period; readonly taken: Partial<Record<Counted, number>> },
): number {
  const [unit, size] = COUNTED[period];
  if (unit === "years") return until(from, to, unit).years;
  if (unit === "months") {
    const { months } = until(from, to, taken.years === undefined ? "months" : "years");
    return Math.trunc((months - (taken.months ?? 0)) / size);
  }
  return until(from.add(taken), to, unit)[unit];
}

function until(from: Point, to: Point, largestUnit: Counted): Temporal.Duration {
  if ("timeZoneId" in from)
    return from.until("timeZoneId" in to ? to : to.toZonedDateTime(from.timeZoneId), { largestUnit });
  return from.until("timeZoneId" in to ? to.toPlainDateTime() : to, { largestUnit });
}

function nanosecondsBetween(from: Point, to: Point): bigint {
  return nanosecondsOf(to) - nanosecondsOf(from);
}

function nanosecondsOf(point: Point): bigint {
  return ("timeZoneId" in point ? point : point.toZonedDateTime("UTC")).epochNanoseconds;
}
