import type { Temporal } from "temporal-polyfill";
import { DateTimeError } from "./datetime-error.ts";

/** In the order of ISO 8601: Monday is the first. */
export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** 1 for Monday to 7 for Sunday. */
export function dayNumber(weekday: Weekday): number {
  return WEEKDAYS.indexOf(weekday) + 1;
}

/** Reads an English name of a weekday, whole or three letters of it. @throws DateTimeError. */
export function parseWeekday(text: string): Weekday {
  const wanted = text.trim().toLowerCase().replace(/\.$/, "");
  const weekday = WEEKDAYS.find((name) => name === wanted || (wanted.length >= 3 && name.startsWith(wanted)));
  if (weekday !== undefined) return weekday;
  throw new DateTimeError(`expected a weekday, one of ${WEEKDAYS.join(", ")}`);
}

/** How many days it is to the count-th such weekday after a day; before it, when negative. The day itself never counts. */
export function nthWeekday(day: Temporal.PlainDate, weekday: Weekday, count: number): number {
  const ahead = (dayNumber(weekday) - day.dayOfWeek + 7) % 7;
  if (count > 0) return (ahead === 0 ? 7 : ahead) + 7 * (count - 1);
  return ahead - 7 + 7 * (count + 1);
}
