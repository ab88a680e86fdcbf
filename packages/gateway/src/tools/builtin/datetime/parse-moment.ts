import { Temporal } from "temporal-polyfill";
import { DateTimeError } from "./datetime-error.ts";
import type { Moment } from "./moment.ts";

/** What a text without a date or a zone of its own is read with. */
export interface MomentContext {
  readonly now: Temporal.Instant;
  /** The zone of a wall-clock time, and that in which a point in time is shown; UTC or the text's own otherwise. */
  readonly timezone: string | undefined;
}

const HAS_TIME = /^[^T t]+[Tt ]\d/;
const HAS_OFFSET = /(?:[Zz]|[+-]\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d+)?)?)?)$/;

/**
 * Reads `now`, `today`, a date, a date with a wall-clock time, or one with an offset or a zone in brackets (ISO 8601,
 * RFC 9557). A wall-clock time that a clock change skips is moved forward by the gap; one that it repeats is the first.
 *
 * @throws DateTimeError that says which forms there are.
 */
export function parseMoment(text: string, { now, timezone }: MomentContext): Moment {
  const trimmed = text.trim();
  if (/^now$/i.test(trimmed)) return { kind: "time", zoned: now.toZonedDateTimeISO(timezone ?? "UTC") };
  if (/^today$/i.test(trimmed)) return { kind: "day", date: now.toZonedDateTimeISO(timezone ?? "UTC").toPlainDate() };
  try {
    return parseIso(trimmed, timezone);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DateTimeError(
      "expected now, today, or an existing date or time in ISO 8601, such as 2026-11-21, 2026-11-21T09:30 or 2026-11-21T09:30:00+01:00",
    );
  }
}

function parseIso(text: string, timezone: string | undefined): Moment {
  if (text.includes("[")) {
    const zoned = Temporal.ZonedDateTime.from(text).withCalendar("iso8601");
    return { kind: "time", zoned: timezone === undefined ? zoned : zoned.withTimeZone(timezone) };
  }
  if (!HAS_TIME.test(text)) return { kind: "day", date: Temporal.PlainDate.from(text) };
  const offset = HAS_OFFSET.exec(text)?.[0];
  if (offset === undefined) return fromWallClock(Temporal.PlainDateTime.from(text), timezone ?? "UTC");
  const zone = timezone ?? (/^z$/i.test(offset) ? "UTC" : offset);
  return { kind: "time", zoned: Temporal.Instant.from(text).toZonedDateTimeISO(zone) };
}

function fromWallClock(wallClock: Temporal.PlainDateTime, timezone: string): Moment {
  const zoned = wallClock.toZonedDateTime(timezone, { disambiguation: "compatible" });
  if (!zoned.toPlainDateTime().equals(wallClock)) {
    const note = `${wallClock} does not exist in ${timezone}, where clocks go forward then; ${zoned.toPlainDateTime()} was used`;
    return { kind: "time", zoned, note };
  }
  const later = wallClock.toZonedDateTime(timezone, { disambiguation: "later" });
  if (!later.equals(zoned)) {
    const note = `${wallClock} happens twice in ${timezone}, where clocks go back then; the first, ${zoned.offset}, was used`;
    return { kind: "time", zoned, note };
  }
  return { kind: "time", zoned };
}
