import type { Temporal } from "temporal-polyfill";
import type { Period } from "./period.ts";

/** How long a duration is in one unit, with its fraction, counted from a moment. */
export function totalIn(
  duration: Temporal.Duration,
  unit: Period,
  relativeTo: Temporal.PlainDate | Temporal.PlainDateTime | Temporal.ZonedDateTime,
): number {
  return unit === "quarter" ? duration.total({ unit: "months", relativeTo }) / 3 : duration.total({ unit, relativeTo });
}
