import type { Temporal } from "temporal-polyfill";
import type { Moment } from "./moment.ts";
import type { Period } from "./names.ts";

/** The periods that consist of whole days. */
export type CalendarPeriod = Exclude<Period, "hour" | "minute" | "second">;

/** Returns the start of the period that contains a moment. A day stays a day unless the period is shorter. */
export function startOf(moment: Moment, period: Period, timezone: string): Moment {
  if (period === "hour" || period === "minute" || period === "second") {
    const zoned = moment.kind === "time" ? moment.zoned : moment.date.toZonedDateTime(timezone);
    return { kind: "time", zoned: zoned.round({ smallestUnit: period, roundingMode: "floor" }) };
  }
  if (moment.kind === "day") return { kind: "day", date: firstDay(moment.date, period) };
  const zoned = firstDay(moment.zoned.toPlainDate(), period).toZonedDateTime(moment.zoned.timeZoneId);
  return { kind: "time", zoned };
}

/** Returns the last millisecond of the period that contains a moment, or its last day if {@link startOf} returns a day. */
export function endOf(moment: Moment, period: Period, timezone: string): Moment {
  const start = startOf(moment, period, timezone);
  const length = period === "quarter" ? { months: 3 } : { [`${period}s`]: 1 };
  if (start.kind === "day") return { kind: "day", date: start.date.add(length).subtract({ days: 1 }) };
  return { kind: "time", zoned: start.zoned.add(length).subtract({ milliseconds: 1 }) };
}

/** Returns the first day of the period that contains a day. */
export function firstDay(day: Temporal.PlainDate, period: CalendarPeriod): Temporal.PlainDate {
  switch (period) {
    case "year":
      return day.with({ month: 1, day: 1 });
    case "quarter":
      return day.with({ month: day.month - ((day.month - 1) % 3), day: 1 });
    case "month":
      return day.with({ day: 1 });
    case "week":
      return day.subtract({ days: day.dayOfWeek - 1 });
    case "day":
      return day;
  }
}
