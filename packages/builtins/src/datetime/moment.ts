import type { Temporal } from "temporal-polyfill";

/** A calendar day, or a point in time in a time zone. */
export type Moment =
  | { readonly kind: "day"; readonly date: Temporal.PlainDate }
  | {
      readonly kind: "time";
      readonly zoned: Temporal.ZonedDateTime;
      /** Which reading was used for a wall-clock time that a clock change skips or repeats. */
      readonly note?: string;
    };

/** Converts a moment to a point in time. A day becomes its first moment in the zone. */
export function toZoned(moment: Moment, timezone: string): Temporal.ZonedDateTime {
  return moment.kind === "time" ? moment.zoned : moment.date.toZonedDateTime(timezone);
}
