import type { Temporal } from "temporal-polyfill";
import { DateTimeError } from "./datetime-error.ts";
import type { Moment } from "./moment.ts";
import type { Disambiguation } from "./names.ts";

/**
 * Converts a wall-clock time to a point in time. A skipped or repeated time is an error unless the disambiguation
 * selects a reading. For a skipped time, `later` moves it forward by the length of the gap, and `earlier` moves it
 * back.
 *
 * @throws DateTimeError that names both readings.
 */
export function fromWallClock(
  wallClock: Temporal.PlainDateTime,
  timezone: string,
  disambiguation: Disambiguation | undefined,
): Extract<Moment, { kind: "time" }> {
  const earlier = wallClock.toZonedDateTime(timezone, { disambiguation: "earlier" });
  const later = wallClock.toZonedDateTime(timezone, { disambiguation: "later" });
  if (earlier.equals(later)) return { kind: "time", zoned: earlier };
  const isSkipped = !earlier.toPlainDateTime().equals(wallClock);
  const what = isSkipped
    ? `${wallClock} does not exist in ${timezone}, because the clocks go forward`
    : `${wallClock} happens twice in ${timezone}, because the clocks go back`;
  if (disambiguation === undefined || disambiguation === "reject") {
    throw new DateTimeError(
      `${what}: ${isoWithOffset(earlier)} (earlier) or ${isoWithOffset(later)} (later)`,
      'set disambiguation to "earlier" or "later", or give the datetime an offset',
    );
  }
  const zoned = disambiguation === "earlier" ? earlier : later;
  return { kind: "time", zoned, note: `${what}; ${isoWithOffset(zoned)}, the ${disambiguation} one, was used` };
}

/**
 * Resolves the wall-clock time that a calculation results in. By default, a skipped time moves forward by the length of
 * the gap, and the first of two repeated times is used, as in RFC 5545. The result then has a note about this.
 *
 * @throws DateTimeError for `reject` if the time is skipped or repeated.
 */
export function arriveAt(
  wallClock: Temporal.PlainDateTime,
  timezone: string,
  disambiguation: Disambiguation | undefined,
): Extract<Moment, { kind: "time" }> {
  const compatible = wallClock.toZonedDateTime(timezone, { disambiguation: "compatible" });
  const usual = compatible.toPlainDateTime().equals(wallClock) ? "earlier" : "later";
  return fromWallClock(wallClock, timezone, disambiguation ?? usual);
}

function isoWithOffset(zoned: Temporal.ZonedDateTime): string {
  return zoned.toString({ timeZoneName: "never" });
}
