import { Temporal } from "temporal-polyfill";
import { type Moment, toZoned } from "./moment.ts";
import type { Disambiguation } from "./names.ts";
import { arriveAt } from "./wall-clock.ts";

/** How to shift a moment. */
export interface ShiftOptions {
  /** The zone in which a day starts when hours are added to it. */
  readonly zoneOfDays: string;
  readonly disambiguation: Disambiguation | undefined;
}

/**
 * Shifts a moment. Years to days move the wall-clock time; then hours to seconds add elapsed time. A day stays a day
 * unless hours are added.
 *
 * @throws DateTimeError if the resulting wall-clock time is skipped or repeated and the disambiguation is `reject`.
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

/** Shifts a moment by days and keeps its time of day. @throws DateTimeError in the same cases as {@link shift}. */
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
