import type { Period } from "./period.ts";

const UNITS = ["year", "month", "day", "hour", "minute", "second"] as const;

/** How far a moment is from another one, in one unit, and as a person says it. */
export interface RelativeTime {
  /** As in `in 3 days`, `2 hours ago`, `tomorrow`. */
  readonly text: string;
  /** Negative in the past. */
  readonly value: number;
  readonly unit: Period;
}

/**
 * Says where a moment lies from another one, by the largest unit that is full once, or the given one; rounded to the
 * nearest whole.
 *
 * @param until - how long it is to the moment, in a unit.
 */
export function describeRelative(
  until: (unit: Period) => number,
  {
    locale,
    unit,
    smallest,
  }: { readonly locale: string; readonly unit: Period | undefined; smallest: "day" | "second" },
): RelativeTime {
  const units = UNITS.slice(0, UNITS.indexOf(smallest) + 1);
  const chosen = unit ?? units.find((one) => Math.abs(until(one)) >= 1) ?? smallest;
  // Not -0, which JSON and people write otherwise.
  const value = Math.round(until(chosen)) + 0;
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  return { text: format.format(value, chosen).replace(/[\u202f\u00a0]/g, " "), value, unit: chosen };
}
