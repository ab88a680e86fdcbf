import { Temporal } from "temporal-polyfill";
import { DateTimeError } from "./datetime-error.ts";
import { describeMoment } from "./describe-moment.ts";
import { describeDifference } from "./difference.ts";
import { type Moment, toZoned } from "./moment.ts";
import { parseMoment } from "./parse-moment.ts";
import { endOf, PERIODS, type Period, startOf } from "./period.ts";
import { parseTimeZone } from "./time-zone.ts";

/** What the tool can do. */
export const OPERATIONS = ["now", "parse", "convert", "add", "subtract", "difference", "start_of", "end_of"] as const;

type Parameters = Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, unknown>>;

/**
 * Answers one request.
 *
 * @param parameters - as the tool's schema describes them.
 * @throws DateTimeError for the model; RangeError when a date lies outside the years that can be represented.
 */
export function runOperation(parameters: Parameters, now: Temporal.Instant): Answer {
  const operation = OPERATIONS.find((name) => name === parameters["operation"]);
  if (operation === undefined) throw new DateTimeError(`operation must be one of ${OPERATIONS.join(", ")}`);
  const timezone = read(parameters, "timezone", parseTimeZone);
  const momentOf = (field: string) => {
    const context = { now, timezone };
    return read(parameters, field, (text) => parseMoment(text, context)) ?? parseMoment("now", context);
  };

  switch (operation) {
    case "now":
      return describeMoment(parseMoment("now", { now, timezone }));
    case "parse":
      return describeMoment(momentOf("datetime"));
    case "convert":
      return convert(momentOf("datetime"), need(operation, parameters, "toTimezone", parseTimeZone), timezone);
    case "add":
    case "subtract": {
      const duration = need(operation, parameters, "duration", parseDuration);
      return describeMoment(shift(momentOf("datetime"), operation === "add" ? duration : duration.negated(), timezone));
    }
    case "difference":
      return describeDifference(momentOf("datetime"), momentOf("end"), { unit: periodOf(parameters), timezone });
    case "start_of":
    case "end_of": {
      const period = periodOf(parameters);
      if (period === undefined) throw new DateTimeError(`${operation} needs unit, one of ${PERIODS.join(", ")}`);
      const bound = operation === "start_of" ? startOf : endOf;
      return describeMoment(bound(momentOf("datetime"), period, timezone ?? "UTC"));
    }
  }
}

function convert(moment: Moment, toTimezone: string, timezone: string | undefined): Answer {
  const zoned = toZoned(moment, timezone ?? "UTC").withTimeZone(toTimezone);
  return describeMoment(moment.kind === "time" ? { ...moment, zoned } : { kind: "time", zoned });
}

/** Years to days move the wall clock, hours to seconds the elapsed time. A day stays a day unless hours are added. */
function shift(moment: Moment, duration: Temporal.Duration, timezone: string | undefined): Moment {
  const { hours, minutes, seconds, milliseconds, microseconds, nanoseconds } = duration;
  const hasTime = [hours, minutes, seconds, milliseconds, microseconds, nanoseconds].some((part) => part !== 0);
  if (moment.kind === "day" && !hasTime) return { kind: "day", date: moment.date.add(duration) };
  const zoned = toZoned(moment, timezone ?? "UTC").add(duration);
  return moment.kind === "time" ? { ...moment, zoned } : { kind: "time", zoned };
}

function parseDuration(text: string): Temporal.Duration {
  try {
    return Temporal.Duration.from(text.trim());
  } catch {
    throw new DateTimeError("expected an ISO 8601 duration such as P3D, P1Y2M, PT36H or -PT90M");
  }
}

/** Reads a field that may be absent; what is wrong with it is reported under its name. */
function read<T>(parameters: Parameters, field: string, parse: (text: string) => T): T | undefined {
  const value = parameters[field];
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw new DateTimeError(`${field}: expected a string`);
  try {
    return parse(value);
  } catch (error) {
    throw error instanceof DateTimeError ? new DateTimeError(`${field}: ${error.message}`) : error;
  }
}

function need<T>(operation: string, parameters: Parameters, field: string, parse: (text: string) => T): T {
  const value = read(parameters, field, parse);
  if (value === undefined) throw new DateTimeError(`${operation} needs ${field}`);
  return value;
}

function periodOf({ unit }: Parameters): Period | undefined {
  if (unit === undefined) return undefined;
  const period = PERIODS.find((name) => name === unit);
  if (period === undefined) throw new DateTimeError(`unit must be one of ${PERIODS.join(", ")}`);
  return period;
}
