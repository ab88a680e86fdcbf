import type { Temporal } from "temporal-polyfill";
import { DateTimeError } from "./datetime-error.ts";
import { isoText } from "./describe-moment.ts";
import { type Moment, toZoned } from "./moment.ts";
import { PERIODS, type Period } from "./period.ts";
import { totalIn } from "./total-in.ts";

const UNITS = ["years", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds"] as const;

/** What is wanted of a difference. */
export interface DifferenceRequest {
  /** For the whole of it in one unit. */
  readonly unit: Period | undefined;
  /** For the parts of it in these units. */
  readonly units: readonly Period[];
  readonly timezone: string | undefined;
  readonly zoneOfDays: string;
}

/**
 * How long it is from one moment to another; negative when the second is earlier. Two days are compared by the
 * calendar; anything else in the zone of the first moment, so that a day across a clock change is one day.
 */
export function describeDifference(
  start: Moment,
  end: Moment,
  { unit, units, timezone, zoneOfDays }: DifferenceRequest,
): Readonly<Record<string, unknown>> {
  if (start.kind === "day" && end.kind === "day") {
    const duration = start.date.until(end.date, { largestUnit: "years" });
    const days = start.date.until(end.date, { largestUnit: "days" }).days;
    const total = unit === undefined ? undefined : describeTotal(totalIn(duration, unit, start.date), unit);
    const parts = partsIn(units, start.date.toPlainDateTime(), end.date.toPlainDateTime());
    return { start: start.date.toString(), end: end.date.toString(), ...describe(duration), days, ...total, ...parts };
  }
  const zone = timezone ?? (start.kind === "time" ? start.zoned : toZoned(end, zoneOfDays)).timeZoneId;
  const from = toZoned(start, zone).withTimeZone(zone);
  const to = toZoned(end, zone).withTimeZone(zone);
  const duration = from.until(to, { largestUnit: "years" });
  const seconds = (to.epochMilliseconds - from.epochMilliseconds) / 1000;
  const total = unit === undefined ? undefined : describeTotal(totalIn(duration, unit, from), unit);
  const parts = partsIn(units, from, to);
  return { start: isoText(from), end: isoText(to), timezone: zone, ...describe(duration), seconds, ...total, ...parts };
}

function describe(duration: Temporal.Duration): { readonly duration: string; readonly text: string } {
  const size = duration.abs();
  const parts = UNITS.filter((unit) => size[unit] !== 0).map(
    (unit) => `${size[unit]} ${size[unit] === 1 ? unit.slice(0, -1) : unit}`,
  );
  const text = parts.length === 0 ? "no difference" : parts.join(", ");
  return { duration: duration.toString(), text: duration.sign < 0 ? `${text} earlier` : text };
}

function describeTotal(
  value: number,
  unit: Period,
): { readonly total: { readonly unit: Period; readonly value: number } } {
  return { total: { unit, value: Number(value.toPrecision(15)) } };
}

/** The difference in the units that are wanted, larger ones first; only the last of them has a fraction. */
function partsIn<T extends Temporal.PlainDateTime | Temporal.ZonedDateTime>(
  units: readonly Period[],
  from: T,
  to: T,
): { readonly parts?: Readonly<Record<string, number>> } {
  const ordered = PERIODS.filter((period) => units.includes(period));
  if (ordered.length === 0) return {};
  const parts: Record<string, number> = {};
  let cursor: Temporal.PlainDateTime | Temporal.ZonedDateTime = from;
  ordered.forEach((period, index) => {
    const rest = between(cursor, to);
    const value = Number(totalIn(rest, period, cursor).toPrecision(15));
    const count = index === ordered.length - 1 ? value : Math.trunc(value);
    parts[`${period}s`] = count + 0;
    if (Number.isInteger(count))
      cursor = cursor.add(period === "quarter" ? { months: 3 * count } : { [`${period}s`]: count });
  });
  return { parts };
}

function between(
  from: Temporal.PlainDateTime | Temporal.ZonedDateTime,
  to: Temporal.PlainDateTime | Temporal.ZonedDateTime,
): Temporal.Duration {
  if ("timeZoneId" in from && "timeZoneId" in to) return from.until(to, { largestUnit: "years" });
  if (!("timeZoneId" in from) && !("timeZoneId" in to)) return from.until(to, { largestUnit: "years" });
  throw new DateTimeError("end: expected a day if datetime is one");
}
