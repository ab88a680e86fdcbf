import type { Temporal } from "temporal-polyfill";
import { isoText } from "./describe-moment.ts";
import { lengthIn, measure } from "./measure.ts";
import { type Moment, toZoned } from "./moment.ts";
import type { Period } from "./names.ts";

const UNITS = ["years", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds"] as const;

/** What to return for a difference. */
export interface DifferenceRequest {
  /** The unit of `total`. */
  readonly unit: Period | undefined;
  /** The units of `parts`. */
  readonly units: readonly Period[];
  readonly timezone: string | undefined;
  readonly zoneOfDays: string;
}

/**
 * Returns the time from one moment to another, negative if the second is earlier. Two days are compared by the
 * calendar. Other moments are compared in the zone of the first one, so a day with a clock change counts as one day.
 * The duration, the total and the parts count years and months by the rule of {@link measure}.
 */
export function describeDifference(
  start: Moment,
  end: Moment,
  { unit, units, timezone, zoneOfDays }: DifferenceRequest,
): Readonly<Record<string, unknown>> {
  if (start.kind === "day" && end.kind === "day") {
    const duration = start.date.until(end.date, { largestUnit: "years" });
    const days = start.date.until(end.date, { largestUnit: "days" }).days;
    const [from, to] = [start.date.toPlainDateTime(), end.date.toPlainDateTime()];
    const inUnits = { ...totalOf(unit, from, to), ...partsIn(units, from, to) };
    return { start: start.date.toString(), end: end.date.toString(), ...describe(duration), days, ...inUnits };
  }
  const zone = timezone ?? (start.kind === "time" ? start.zoned : toZoned(end, zoneOfDays)).timeZoneId;
  const from = toZoned(start, zone).withTimeZone(zone);
  const to = toZoned(end, zone).withTimeZone(zone);
  const duration = from.until(to, { largestUnit: "years" });
  const seconds = (to.epochMilliseconds - from.epochMilliseconds) / 1000;
  const inUnits = { ...totalOf(unit, from, to), ...partsIn(units, from, to) };
  return { start: isoText(from), end: isoText(to), timezone: zone, ...describe(duration), seconds, ...inUnits };
}

function describe(duration: Temporal.Duration): { readonly duration: string; readonly text: string } {
  const size = duration.abs();
  const parts = UNITS.filter((unit) => size[unit] !== 0).map(
    (unit) => `${size[unit]} ${size[unit] === 1 ? unit.slice(0, -1) : unit}`,
  );
  const text = parts.length === 0 ? "no difference" : parts.join(", ");
  return { duration: duration.toString(), text: duration.sign < 0 ? `${text} earlier` : text };
}

function totalOf<T extends Temporal.PlainDateTime | Temporal.ZonedDateTime>(
  unit: Period | undefined,
  from: T,
  to: T,
): { readonly total?: { readonly unit: Period; readonly value: number } } {
  return unit === undefined ? {} : { total: { unit, value: lengthIn(from, to, unit) } };
}

/** Splits the difference into the requested units, larger ones first. Only the last unit has a fraction. */
function partsIn<T extends Temporal.PlainDateTime | Temporal.ZonedDateTime>(
  units: readonly Period[],
  from: T,
  to: T,
): { readonly parts?: Readonly<Record<string, number>> } {
  if (units.length === 0) return {};
  return { parts: Object.fromEntries(measure(from, to, units).map(({ period, value }) => [`${period}s`, value])) };
}
