import type { Temporal } from "temporal-polyfill";
import { DateTimeError } from "./datetime-error.ts";
import { WEEKDAYS, type Weekday } from "./names.ts";

/** Returns the ISO number of a weekday: 1 for Monday to 7 for Sunday. */
export function dayNumber(weekday: Weekday): number {
  return WEEKDAYS.indexOf(weekday) + 1;
}

/** Parses an English weekday name, in full or as its first three letters. @throws DateTimeError for any other text. */
export function parseWeekday(text: string): Weekday {
  const wanted = text.trim().toLowerCase().replace(/\.$/, "");
  const weekday = WEEKDAYS.find((name) => name === wanted || (wanted.length >= 3 && name.startsWith(wanted)));
  if (weekday !== undefined) return weekday;
  throw new DateTimeError(`expected a weekday, one of ${WEEKDAYS.join(", ")}`);
}

/**
 * Returns the number of days from a day to the count-th occurrence of a weekday after it, or before it if `count` is
 * negative. The day itself never counts.
 */
export function nthWeekday(day: Temporal.PlainDate, weekday: Weekday, count: number): number {
  const ahead = (dayNumber(weekday) - day.dayOfWeek + 7) % 7;
  if (count > 0) return (ahead === 0 ? 7 : ahead) + 7 * (count - 1);
  return ahead - 7 + 7 * (count + 1);
}
