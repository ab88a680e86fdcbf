import type { Temporal } from "temporal-polyfill";
import { DateTimeError } from "./datetime-error.ts";
import type { Moment } from "./moment.ts";

/** What to do with a wall-clock time that a clock change skips or repeats. */
export const DISAMBIGUATIONS = ["earlier", "later", "reject"] as const;
export type Disambiguation = (typeof DISAMBIGUATIONS)[number];

/**
 * The point in time of a wall-clock time. One that is skipped or repeated is refused unless it is said which of the two
 * possible readings is meant: of a skipped time, `later` goes on past the gap by as much, and `earlier` stays before it.
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
    ? `${wallClock} does not exist in ${timezone}, where clocks go forward then`
    : `${wallClock} happens twice in ${timezone}, where clocks go back then`;
  if (disambiguation === undefined || disambiguation === "reject") {
    throw new DateTimeError(
      `${what}: ${isoWithOffset(earlier)} (earlier) or ${isoWithOffset(later)} (later)`,
      'say which is meant by disambiguation "earlier" or "later", or by an offset in the datetime',
    );
  }
  const zoned = disambiguation === "earlier" ? earlier : later;
  return { kind: "time", zoned, note: `${what}; ${isoWithOffset(zoned)}, the ${disambiguation}, was used` };
}

/**
 * What a calculation arrives at: a wall-clock time that is skipped moves forward by the gap and one that is repeated is
 * the first, as RFC 5545 has it, unless it was said otherwise. A note tells.
 *
 * @throws DateTimeError for `reject`.
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
