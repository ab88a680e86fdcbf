import { Temporal } from "temporal-polyfill";
import { type Moment, toZoned } from "./moment.ts";
import { arriveAt, type Disambiguation } from "./wall-clock.ts";

/** How a moment is moved. */
export interface ShiftOptions {
  /** Where a day begins, when hours are added to it. */
  readonly zoneOfDays: string;
  readonly disambiguation: Disambiguation | undefined;
}

/**
 * Moves a moment: years to days move the wall clock, hours to seconds the elapsed time, in this order. A day stays a day
 * unless hours are added.
 *
 * @throws DateTimeError when the clocks never show the time that it arrives at, or twice, and that is to be rejected.
 */
export function shift(moment: Moment, duration: Temporal.Duration, options: ShiftOptions): Moment {
  const { years, months, weeks, days, ...time } = fieldsOf(duration);
  const hasTime = Object.values(time).some((part) => part !== 0);
  if (moment.kind === "day" && !hasTime) return { kind: "day", date: moment.date.add(duration) };
  const start = toZoned(moment, options.zoneOfDays);
  const hasDate = [years, months, weeks, days].some((part) => part !== 0);
  const atDate = hasDate
    ? arriveAt(start.toPlainDateTime().add({ years, months, weeks, days }), start.timeZoneId, options.disambiguation)
    : { kind: "time" as const, zoned: start };
  const moved = hasTime ? { ...atDate, zoned: atDate.zoned.add(time) } : atDate;
  const note = moved.note ?? (moment.kind === "time" ? moment.note : undefined);
  return note === undefined ? moved : { ...moved, note };
}

/** Moves a moment by whole days, at the same time of day. @throws DateTimeError as {@link shift}. */
export function shiftDays(moment: Moment, days: number, options: ShiftOptions): Moment {
  return shift(moment, Temporal.Duration.from({ days }), options);
}

function fieldsOf({
  years,
  months,
  weeks,
  days,
  hours,
  minutes,
  seconds,
  milliseconds,
  microseconds,
  nanoseconds,
}: Temporal.Duration) {
  return { years, months, weeks, days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds };
}
