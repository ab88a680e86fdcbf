import type { Temporal } from "temporal-polyfill";
import { isoText } from "./describe-moment.ts";
import { type Moment, toZoned } from "./moment.ts";
import type { Period } from "./period.ts";

const UNITS = ["years", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds"] as const;

/**
 * How long it is from one moment to another; negative when the second is earlier. Two days are compared by the
 * calendar; anything else in the zone of the first moment, so that a day across a clock change is one day.
 */
export function describeDifference(
  start: Moment,
  end: Moment,
  { unit, timezone }: { readonly unit: Period | undefined; readonly timezone: string | undefined },
): Readonly<Record<string, unknown>> {
  if (start.kind === "day" && end.kind === "day") {
    const duration = start.date.until(end.date, { largestUnit: "years" });
    const days = start.date.until(end.date, { largestUnit: "days" }).days;
    const total = unit === undefined ? undefined : totalIn(duration, unit, start.date);
    return { start: start.date.toString(), end: end.date.toString(), ...describe(duration), days, ...total };
  }
  const zone = timezone ?? (start.kind === "time" ? start.zoned : toZoned(end, "UTC")).timeZoneId;
  const from = toZoned(start, zone).withTimeZone(zone);
  const to = toZoned(end, zone).withTimeZone(zone);
  const duration = from.until(to, { largestUnit: "years" });
  const seconds = (to.epochMilliseconds - from.epochMilliseconds) / 1000;
  const total = unit === undefined ? undefined : totalIn(duration, unit, from);
  return { start: isoText(from), end: isoText(to), timezone: zone, ...describe(duration), seconds, ...total };
}

function describe(duration: Temporal.Duration): { readonly duration: string; readonly text: string } {
  const size = duration.abs();
  const parts = UNITS.filter((unit) => size[unit] !== 0).map(
    (unit) => `${size[unit]} ${size[unit] === 1 ? unit.slice(0, -1) : unit}`,
  );
  const text = parts.length === 0 ? "no difference" : parts.join(", ");
  return { duration: duration.toString(), text: duration.sign < 0 ? `${text} earlier` : text };
}

function totalIn(
  duration: Temporal.Duration,
  unit: Period,
  relativeTo: Temporal.PlainDate | Temporal.ZonedDateTime,
): { readonly total: { readonly unit: Period; readonly value: number } } {
  const value =
    unit === "quarter" ? duration.total({ unit: "months", relativeTo }) / 3 : duration.total({ unit, relativeTo });
  return { total: { unit, value: Number(value.toPrecision(15)) } };
}
