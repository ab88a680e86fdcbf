import { Temporal } from "temporal-polyfill";
import { DateTimeError } from "./datetime-error.ts";
import { explainMoment } from "./explain-moment.ts";
import { parseLocale } from "./locale.ts";
import type { Moment } from "./moment.ts";
import { DATE_ORDERS, DISAMBIGUATIONS, type Disambiguation, PERIODS, type Period, type Weekday } from "./names.ts";
import { type MomentContext, parseMoment } from "./parse-moment.ts";
import type { DatetimeSettings } from "./settings.ts";
import { parseTimeZone } from "./time-zone.ts";
import { parseWeekday } from "./weekday.ts";

type Parameters = Readonly<Record<string, unknown>>;

const MAX_LIST = 500;

/** One call of the tool. Each field is read when it is needed, and errors name the field. */
export interface DatetimeRequest {
  readonly settings: DatetimeSettings;
  /** The zone in the request; undefined if the request has none. */
  readonly timezone: string | undefined;
  readonly zoneOfDays: string;
  readonly disambiguation: Disambiguation | undefined;
  readonly now: Moment;
  /** Reads the moment in a field, or returns the current time if the field is absent. */
  moment(field: string): Moment;
  zone(field: string): string | undefined;
  text(field: string): string | undefined;
  duration(field: string): Temporal.Duration | undefined;
  locale(): string;
  weekdays(field: string): readonly Weekday[] | undefined;
  days(field: string): readonly Temporal.PlainDate[];
  integer(field: string, fallback: number): number;
  oneOf<T extends string>(field: string, values: readonly T[]): T | undefined;
  periods(field: string): readonly Period[];
  /** Returns the value. @throws DateTimeError `<operation> needs <field>` for `undefined`. */
  need<T>(field: string, value: T | undefined): T;
}

/** Creates a reader for the fields of a call. @throws DateTimeError for an invalid field. */
export function readRequest(
  parameters: Parameters,
  now: Temporal.Instant,
  settings: DatetimeSettings,
): DatetimeRequest {
  const timezone = read("timezone", parseTimeZone);
  const disambiguation = oneOf("disambiguation", DISAMBIGUATIONS);
  const context: MomentContext = {
    now,
    timezone,
    defaultZone: settings.timezone,
    disambiguation,
    dateOrder: oneOf("dateOrder", DATE_ORDERS),
  };
  const today = now.toZonedDateTimeISO(timezone ?? settings.timezone).toPlainDate();
  return {
    settings,
    timezone,
    zoneOfDays: timezone ?? settings.timezone,
    disambiguation,
    now: parseMoment("now", context),
    moment: (field) => readMoment(field) ?? parseMoment("now", context),
    zone: (field) => read(field, parseTimeZone),
    text: (field) => read(field, (text) => text),
    duration: (field) => read(field, parseDuration),
    locale: () => read("locale", parseLocale) ?? settings.locale,
    weekdays: (field) => list(field)?.map((item, index) => named(`${field}[${index}]`, item, parseWeekday)),
    days: (field) =>
      (list(field) ?? []).map((item, index) => named(`${field}[${index}]`, item, (text) => parseDay(text, today))),
    integer,
    oneOf,
    periods: (field) => (list(field) ?? []).map((item, index) => named(`${field}[${index}]`, item, parsePeriod)),
    need: (field, value) => {
      if (value === undefined) throw new DateTimeError(`${String(parameters["operation"])} needs ${field}`);
      return value;
    },
  };

  function read<T>(field: string, parse: (text: string) => T): T | undefined {
    const value = parameters[field];
    return value === undefined ? undefined : named(field, value, parse);
  }

  /** Reads a moment: a text, or a number of seconds since 1970. */
  function readMoment(field: string): Moment | undefined {
    const value = parameters[field];
    if (value === undefined) return undefined;
    return named(field, typeof value === "number" ? String(value) : value, (text) => parseMoment(text, context));
  }

  function list(field: string): readonly unknown[] | undefined {
    const value: unknown = parameters[field];
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw new DateTimeError(`${field}: expected a list`);
    if (value.length > MAX_LIST) throw new DateTimeError(`${field}: expected at most ${MAX_LIST} entries`);
    return value;
  }

  function oneOf<T extends string>(field: string, values: readonly T[]): T | undefined {
    return read(field, (text) => {
      const found = values.find((value) => value === text);
      if (found === undefined) throw new DateTimeError(`expected one of ${values.join(", ")}`);
      return found;
    });
  }

  function integer(field: string, fallback: number): number {
    const value = parameters[field] ?? fallback;
    if (typeof value === "number" && Number.isInteger(value)) return value;
    throw new DateTimeError(`${field}: expected a whole number`);
  }
}

function named<T>(field: string, value: unknown, parse: (text: string) => T): T {
  if (typeof value !== "string") throw new DateTimeError(`${field}: expected a string`);
  return inField(field, () => parse(value));
}

/** Calls a function that reads a field, and adds the field's name to the messages of its errors. */
export function inField<T>(field: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw error instanceof DateTimeError ? new DateTimeError(`${field}: ${error.message}`, error.hint) : error;
  }
}

function parseDuration(text: string): Temporal.Duration {
  try {
    return Temporal.Duration.from(text.trim());
  } catch {
    throw new DateTimeError("expected an ISO 8601 duration such as P3D, P1Y2M, PT36H or -PT90M");
  }
}

function parseDay(text: string, today: Temporal.PlainDate): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(text.trim());
  } catch {
    throw explainMoment(text.trim(), today) ?? new DateTimeError("expected a day such as 2026-12-25");
  }
}

function parsePeriod(text: string): Period {
  const period = PERIODS.find((name) => name === text || `${name}s` === text);
  if (period === undefined) throw new DateTimeError(`expected one of ${PERIODS.join(", ")}`);
  return period;
}
