import type { Temporal } from "temporal-polyfill";
import type { Moment } from "./moment.ts";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Returns a moment in ISO form, with its weekday, ISO week and other properties. */
export function describeMoment(moment: Moment): Readonly<Record<string, unknown>> {
  if (moment.kind === "day")
    return { iso: moment.date.toString(), ...dayFields(moment.date), text: dayText(moment.date) };
  const { zoned, note } = moment;
  const time = zoned.toPlainTime().toString();
  const description = {
    iso: isoText(zoned),
    utc: zoned.toInstant().toString(),
    unixSeconds: zoned.epochMilliseconds / 1000,
    timezone: zoned.timeZoneId,
    date: zoned.toPlainDate().toString(),
    time,
    ...dayFields(zoned),
    text: `${dayText(zoned)}, ${time} (UTC${zoned.offset})`,
  };
  return note === undefined ? description : { ...description, note };
}

/** Returns the ISO form with the offset, without the name of the zone. */
export function isoText(zoned: Temporal.ZonedDateTime): string {
  return zoned.toString({ timeZoneName: "never" });
}

type Day = Temporal.PlainDate | Temporal.ZonedDateTime;

function dayFields(day: Day): Readonly<Record<string, unknown>> {
  return {
    weekday: WEEKDAYS[day.dayOfWeek - 1],
    week: `${day.yearOfWeek}-W${String(day.weekOfYear).padStart(2, "0")}`,
    dayOfYear: day.dayOfYear,
    daysInMonth: day.daysInMonth,
  };
}

function dayText(day: Day): string {
  return `${WEEKDAYS[day.dayOfWeek - 1]}, ${day.day} ${MONTHS[day.month - 1]} ${day.year}`;
}
