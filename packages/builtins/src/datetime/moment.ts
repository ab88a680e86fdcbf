import type { Temporal } from "temporal-polyfill";

/** A calendar day, or a point in time seen in a time zone. */
export type Moment =
  | { readonly kind: "day"; readonly date: Temporal.PlainDate }
  | {
      readonly kind: "time";
      readonly zoned: Temporal.ZonedDateTime;
      /** What had to be decided to read it: a wall-clock time that a clock change skips or repeats. */
      readonly note?: string;
    };

/** A moment as a point in time; a day begins at its start in the zone. */
export function toZoned(moment: Moment, timezone: string): Temporal.ZonedDateTime {
  return moment.kind === "time" ? moment.zoned : moment.date.toZonedDateTime(timezone);
}
