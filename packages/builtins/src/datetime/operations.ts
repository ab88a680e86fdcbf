import type { Temporal } from "temporal-polyfill";
import { addBusinessDays, type BusinessCalendar, countBusinessDays } from "./business-days.ts";
import { DateTimeError } from "./datetime-error.ts";
import { describeMoment, isoText } from "./describe-moment.ts";
import { describeDifference } from "./difference.ts";
import { formatMoment } from "./format-moment.ts";
import { type Moment, toZoned } from "./moment.ts";
import { OPERATIONS, PERIODS, STYLES } from "./names.ts";
import { endOf, startOf } from "./period.ts";
import { describeRelative } from "./relative.ts";
import { type DatetimeRequest, inField, readRequest } from "./request.ts";
import type { DatetimeSettings } from "./settings.ts";
import { shift, shiftDays } from "./shift.ts";
import { nthWeekday, parseWeekday } from "./weekday.ts";
import { describeZone } from "./zone-info.ts";

const MAX_COUNT = 10_000;

type Parameters = Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, unknown>>;

/**
 * Processes one request.
 *
 * @param parameters - as described by the tool's schema.
 * @throws DateTimeError, whose message is for the model; RangeError if a date is outside the supported years.
 */
export function runOperation(parameters: Parameters, now: Temporal.Instant, settings: DatetimeSettings): Answer {
  const operation = OPERATIONS.find((name) => name === parameters["operation"]);
  if (operation === undefined) throw new DateTimeError(`operation must be one of ${OPERATIONS.join(", ")}`);
  const request = readRequest(parameters, now, settings);
  switch (operation) {
    case "now":
      return describeMoment(request.now);
    case "parse":
      return describeMoment(request.moment("datetime"));
    case "format":
      return format(request);
    case "relative":
      return relative(request);
    case "convert":
      return convert(request);
    case "add":
    case "subtract": {
      const duration = request.need("duration", request.duration("duration"));
      const signed = operation === "add" ? duration : duration.negated();
      return describeMoment(shift(request.moment("datetime"), signed, request));
    }
    case "difference":
      return describeDifference(request.moment("datetime"), request.moment("end"), {
        unit: request.oneOf("unit", PERIODS),
        units: request.periods("units"),
        timezone: request.timezone,
        zoneOfDays: request.zoneOfDays,
      });
    case "start_of":
    case "end_of":
      return bound(operation, request);
    case "weekday":
      return weekday(request);
    case "add_business_days": {
      const moment = request.moment("datetime");
      const count = countOf(request, 1);
      const from = dayOf(moment);
      const days = from.until(addBusinessDays(from, count, calendarOf(request)), { largestUnit: "days" }).days;
      return describeMoment(shiftDays(moment, days, request));
    }
    case "count_business_days": {
      const [start, end] = [dayOf(request.moment("datetime")), dayOf(request.moment("end"))];
      const counts = countBusinessDays(start, end, calendarOf(request));
      return { start: start.toString(), end: end.toString(), ...counts };
    }
    case "zone_info":
      return { ...describeZone(toZoned(request.moment("datetime"), request.zoneOfDays)) };
  }
}

function format(request: DatetimeRequest): Answer {
  const moment = request.moment("datetime");
  const locale = request.locale();
  const pattern = request.text("pattern");
  const style = request.oneOf("style", STYLES);
  const text = inField("pattern", () => formatMoment(moment, { locale, style, pattern, timezone: request.zoneOfDays }));
  return { text, iso: isoOf(moment), locale };
}

function relative(request: DatetimeRequest): Answer {
  const [moment, reference] = [request.moment("datetime"), request.moment("reference")];
  const options = { locale: request.locale(), unit: request.oneOf("unit", PERIODS) };
  if (moment.kind === "day" || reference.kind === "day") {
    // If either is a day, days are compared and the time of day is ignored.
    const [to, from] = [dayOf(moment), dayOf(reference)];
    const said = describeRelative(from.toZonedDateTime("UTC"), to.toZonedDateTime("UTC"), {
      ...options,
      smallest: "day",
    });
    return { ...said, iso: to.toString(), reference: from.toString() };
  }
  const from = reference.zoned.withTimeZone(moment.zoned.timeZoneId);
  const said = describeRelative(from, moment.zoned, { ...options, smallest: "second" });
  return { ...said, iso: isoText(moment.zoned), reference: isoText(from) };
}

function convert(request: DatetimeRequest): Answer {
  const toTimezone = request.need("toTimezone", request.zone("toTimezone"));
  const moment = request.moment("datetime");
  const zoned = toZoned(moment, request.zoneOfDays).withTimeZone(toTimezone);
  return describeMoment(moment.kind === "time" ? { ...moment, zoned } : { kind: "time", zoned });
}

function bound(operation: "start_of" | "end_of", request: DatetimeRequest): Answer {
  const period = request.oneOf("unit", PERIODS);
  if (period === undefined) throw new DateTimeError(`${operation} needs unit, one of ${PERIODS.join(", ")}`);
  const boundOf = operation === "start_of" ? startOf : endOf;
  return describeMoment(boundOf(request.moment("datetime"), period, request.zoneOfDays));
}

function weekday(request: DatetimeRequest): Answer {
  const name = request.need("weekday", request.text("weekday"));
  const wanted = inField("weekday", () => parseWeekday(name));
  const moment = request.moment("datetime");
  return describeMoment(shiftDays(moment, nthWeekday(dayOf(moment), wanted, countOf(request, 1)), request));
}

function countOf(request: DatetimeRequest, fallback: number): number {
  const count = request.integer("count", fallback);
  if (count !== 0 && Math.abs(count) <= MAX_COUNT) return count;
  throw new DateTimeError(`count: expected a whole number from -${MAX_COUNT} to ${MAX_COUNT}, except 0`);
}

function calendarOf(request: DatetimeRequest): BusinessCalendar {
  return { weekend: request.weekdays("weekend") ?? request.settings.weekend, holidays: request.days("holidays") };
}

function dayOf(moment: Moment): Temporal.PlainDate {
  return moment.kind === "day" ? moment.date : moment.zoned.toPlainDate();
}

function isoOf(moment: Moment): string {
  return moment.kind === "day" ? moment.date.toString() : isoText(moment.zoned);
}
