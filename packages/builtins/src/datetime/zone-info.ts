import type { Temporal } from "temporal-polyfill";

/** A clock change in a zone. */
interface Transition {
  /** The time of the change, in UTC. */
  readonly instant: string;
  readonly offsetBefore: string;
  readonly offsetAfter: string;
  /** The local time right before and right after the change. */
  readonly localBefore: string;
  readonly localAfter: string;
  readonly change: "forward" | "back";
}

/** A time zone and its state at one moment. */
export interface ZoneInfo {
  readonly timezone: string;
  readonly at: string;
  readonly offset: string;
  /** The English name used in the zone's own country, if there is one: Central European Summer Time. */
  readonly name: string;
  /** Whether daylight saving time applies: the clocks are ahead of standard time. */
  readonly isDst: boolean;
  /** `null` if no change is known. */
  readonly nextTransition: Transition | null;
  readonly previousTransition: Transition | null;
}

const DAYS_BETWEEN_CHANGES = 370;
const MS_PER_DAY = 86_400_000;

/**
 * Describes a time zone at a moment: its offset, whether daylight saving time applies, and the previous and next clock
 * change.
 */
export function describeZone(moment: Temporal.ZonedDateTime): ZoneInfo {
  const next = moment.getTimeZoneTransition("next");
  // A change at exactly this moment counts as the last change.
  const previous = moment.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
  return {
    timezone: moment.timeZoneId,
    at: moment.toString({ timeZoneName: "never" }),
    offset: moment.offset,
    name: nameOf(moment),
    isDst: isSummerTime(moment, previous, next),
    nextTransition: next === null ? null : describe(next),
    previousTransition: previous === null ? null : describe(previous),
  };
}

function isSummerTime(
  moment: Temporal.ZonedDateTime,
  previous: Temporal.ZonedDateTime | null,
  next: Temporal.ZonedDateTime | null,
): boolean {
  if (previous === null || next === null) return false;
  const isSeasonal = next.epochMilliseconds - previous.epochMilliseconds < DAYS_BETWEEN_CHANGES * MS_PER_DAY;
  const before = previous.subtract({ nanoseconds: 1 }).offsetNanoseconds;
  return isSeasonal && moment.offsetNanoseconds > before && moment.offsetNanoseconds > next.offsetNanoseconds;
}

function describe(after: Temporal.ZonedDateTime): Transition {
  const before = after.subtract({ nanoseconds: 1 });
  // Computed from the offset in minutes, because some historical offsets include seconds, which no zone name can
  // express.
  const shift = { nanoseconds: before.offsetNanoseconds };
  const wallClock = after.toInstant().toZonedDateTimeISO("UTC").add(shift).toPlainDateTime();
  return {
    instant: after.toInstant().toString(),
    offsetBefore: before.offset,
    offsetAfter: after.offset,
    localBefore: wallClock.toString(),
    localAfter: after.toPlainDateTime().toString(),
    change: after.offsetNanoseconds > before.offsetNanoseconds ? "forward" : "back",
  };
}

function nameOf(moment: Temporal.ZonedDateTime): string {
  const format = new Intl.DateTimeFormat("en", { timeZone: moment.timeZoneId, timeZoneName: "long" });
  const part = format.formatToParts(moment.epochMilliseconds).find(({ type }) => type === "timeZoneName");
  return part?.value ?? moment.timeZoneId;
}
