import { Temporal } from "temporal-polyfill";
import { DateTimeError } from "./datetime-error.ts";
import { explainMoment } from "./explain-moment.ts";
import type { Moment } from "./moment.ts";
import type { DateOrder, Disambiguation } from "./names.ts";
import { parseWritten, type WrittenDate } from "./parse-written.ts";
import { fromWallClock } from "./wall-clock.ts";

/** The defaults for parsing a text without a date or a zone. */
export interface MomentContext {
  readonly now: Temporal.Instant;
  /** The zone of a wall-clock time and of the result; default: the zone in the text, or else `defaultZone`. */
  readonly timezone: string | undefined;
  readonly defaultZone: string;
  readonly disambiguation: Disambiguation | undefined;
  readonly dateOrder: DateOrder | undefined;
}

/** Matches texts that the standard parser must read; excludes `2026-11-21 9:30 pm`. */
const IS_ISO =
  /^[-+]?\d{4,6}-\d{2}-\d{2}(?:$|[Tt ]\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d+)?)?)?(?:[Zz]|[-+]\d{2}(?::?\d{2})?)?(?:$|\[))/;
const HAS_TIME = /^[^T t]+[Tt ]\d/;
const HAS_OFFSET = /(?:[Zz]|[+-]\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d+)?)?)?)$/;
/**
 * Matches a time since 1970: nine to eleven digits are seconds, and twelve or thirteen are milliseconds. Eight digits
 * are a date instead.
 */
const EPOCH = /^(?:@(?<at>-?\d{1,12})|(?<seconds>-?\d{9,11})|(?<milliseconds>-?\d{12,13}))(?<fraction>\.\d{1,9})?$/;
const IS_SAID_RELATIVELY = /\b(?:next|last|this|coming|in|ago|from now|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i;
const NEAR_DAYS: ReadonlyMap<string, number> = new Map([
  ["yesterday", -1],
  ["today", 0],
  ["tomorrow", 1],
]);

/**
 * Parses a moment: `now`, `today`, `tomorrow`, `yesterday`, ISO 8601 and RFC 9557, seconds or milliseconds since 1970,
 * RFC 2822, HTTP dates, and dates with month names or separators that people write.
 *
 * @throws DateTimeError that lists the supported forms, or the possible meanings of the text.
 */
export function parseMoment(text: string, context: MomentContext): Moment {
  const trimmed = text.trim();
  const { now, timezone, defaultZone } = context;
  const zone = timezone ?? defaultZone;
  if (/^now$/i.test(trimmed)) return { kind: "time", zoned: now.toZonedDateTimeISO(zone) };
  const days = NEAR_DAYS.get(trimmed.toLowerCase());
  if (days !== undefined) return { kind: "day", date: now.toZonedDateTimeISO(zone).toPlainDate().add({ days }) };
  const epoch = parseEpoch(trimmed);
  if (epoch !== undefined) return { kind: "time", zoned: epoch.toZonedDateTimeISO(zone) };
  try {
    return IS_ISO.test(trimmed) ? parseIso(trimmed, context) : parseOther(trimmed, context);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const explained = explainMoment(trimmed, now.toZonedDateTimeISO(zone).toPlainDate());
    if (explained !== undefined) throw explained;
    throw new DateTimeError(
      "expected now, today, or an existing date or time in ISO 8601, such as 2026-11-21, 2026-11-21T09:30 or 2026-11-21T09:30:00+01:00",
      IS_SAID_RELATIVELY.test(trimmed)
        ? "for next friday use the operation weekday; for in 3 days use the operation add with the duration P3D"
        : "RFC 2822, HTTP dates, seconds since 1970 and forms such as 21 November 2026 9:30 pm are also accepted",
    );
  }
}

function parseOther(text: string, context: MomentContext): Moment {
  const written = parseWritten(text, context.dateOrder);
  return written === undefined ? parseIso(text, context) : fromWritten(written, context);
}

function parseEpoch(text: string): Temporal.Instant | undefined {
  const { at, seconds = at, milliseconds, fraction = "" } = EPOCH.exec(text)?.groups ?? {};
  if (milliseconds !== undefined) return Temporal.Instant.fromEpochMilliseconds(Number(milliseconds));
  if (seconds === undefined) return undefined;
  return Temporal.Instant.fromEpochMilliseconds(Math.trunc(Number(`${seconds}${fraction}`) * 1000));
}

function parseIso(text: string, context: MomentContext): Moment {
  const { timezone, defaultZone, disambiguation } = context;
  if (text.includes("[")) return fromBrackets(text, context);
  if (!HAS_TIME.test(text)) return { kind: "day", date: Temporal.PlainDate.from(text) };
  const offset = HAS_OFFSET.exec(text)?.[0];
  if (offset === undefined) {
    return fromWallClock(Temporal.PlainDateTime.from(text), timezone ?? defaultZone, disambiguation);
  }
  return shown(Temporal.Instant.from(text), offset, context);
}

function fromBrackets(text: string, { timezone, disambiguation }: MomentContext): Moment {
  const zoned = Temporal.ZonedDateTime.from(text).withCalendar("iso8601");
  const isExact = /(?:[Zz]|[+-]\d{2}(?::?\d{2})*)\[/.test(text);
  const moment = isExact
    ? { kind: "time" as const, zoned }
    : fromWallClock(Temporal.PlainDateTime.from(text).withCalendar("iso8601"), zoned.timeZoneId, disambiguation);
  return timezone === undefined ? moment : { ...moment, zoned: moment.zoned.withTimeZone(timezone) };
}

function fromWritten({ date, time, offset }: WrittenDate, context: MomentContext): Moment {
  if (time === undefined) return { kind: "day", date };
  const wallClock = date.toPlainDateTime(time);
  if (offset === undefined) {
    return fromWallClock(wallClock, context.timezone ?? context.defaultZone, context.disambiguation);
  }
  return shown(Temporal.Instant.from(`${wallClock}${offset}`), offset, context);
}

function shown(instant: Temporal.Instant, offset: string, { timezone, defaultZone }: MomentContext): Moment {
  const own = /^z$/i.test(offset) ? defaultZone : offset;
  return { kind: "time", zoned: instant.toZonedDateTimeISO(timezone ?? own) };
}
