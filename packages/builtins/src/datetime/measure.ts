import type { Temporal } from "temporal-polyfill";
import { PERIODS, type Period } from "./period.ts";

type Point = Temporal.PlainDateTime | Temporal.ZonedDateTime;
type Counted = "years" | "months" | "weeks" | "days" | "hours" | "minutes" | "seconds";

/** The duration field that counts a period, and how many of that field the period has. */
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
 * The time from one moment to another in several units: whole numbers, except that the last has a fraction. Years and
 * months are complete by the rule of `until` in Temporal: only a day that is as late in its month completes a month
 * that starts on the 29th to 31st, so 31 January to 28 February is 28 days and no month.
 *
 * @returns larger units first; negative where the second moment is earlier.
 */
export function measure<T extends Point>(
  from: T,
  to: T,
  units: readonly Period[],
): readonly { readonly period: Period; readonly value: number }[] {
  const ordered = PERIODS.filter((period) => units.includes(period));
  // An empty duration to add to.
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
    // If a month is too short for the day, it is only complete on the day after its end.
    const isShort = (unit === "years" || unit === "months") && sign > 0 && next.day < from.day;
    const full = isShort ? next.add({ days: 1 }) : next;
    const fraction = Number(nanosecondsBetween(reached, to)) / Number(nanosecondsBetween(reached, full));
    return { period, value: Number((whole + sign * fraction).toPrecision(15)) + 0 };
  });
}

/** The time in one unit with its fraction, by the rule of {@link measure}. */
export function lengthIn<T extends Point>(from: T, to: T, unit: Period): number {
  return measure(from, to, [unit])[0]?.value ?? 0;
}

/** The number of whole periods after the duration counted so far; both start at the first moment. */
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
