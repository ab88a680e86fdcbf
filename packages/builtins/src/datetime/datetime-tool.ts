import type { BuiltinTool } from "../builtin-tool.ts";
import { DATE_ORDERS, DISAMBIGUATIONS, OPERATIONS, PERIODS, STYLES, WEEKDAYS } from "./names.ts";
import { type DatetimeSettings, DEFAULT_SETTINGS, parseSettings } from "./settings.ts";

const MAX_TEXT = 100;
const MAX_NAME = 20;
const MAX_LIST = 500;

const text = (description: string) => ({ type: "string", maxLength: MAX_TEXT, description });
/**
 * Creates the schema of a moment. It accepts a number because models write seconds since 1970 as a number. Gemini
 * supports `anyOf`, too.
 */
const moment = (description: string) => ({
  anyOf: [{ type: "string", maxLength: MAX_TEXT }, { type: "number" }],
  description,
});

const PARAMETERS: BuiltinTool["parameters"] = {
  type: "object",
  properties: {
    operation: { type: "string", enum: OPERATIONS },
    datetime: moment(
      "ISO 8601: 2026-11-21 (a day), 2026-11-21T09:30 (in timezone), 2026-11-21T09:30:00+01:00; seconds since 1970; RFC 2822; 21 November 2026 9:30 pm; now, today, tomorrow. Default: now",
    ),
    end: moment("difference, count_business_days: the later moment, as datetime. Default: now"),
    reference: moment("relative: the moment to compare with, as datetime. Default: now"),
    timezone: text(
      "IANA name such as Europe/Paris: the zone of a datetime without an offset, and of the result. Default: the datetime's own, or the agent's",
    ),
    toTimezone: text("convert: the IANA name of the zone to show it in"),
    disambiguation: {
      type: "string",
      enum: DISAMBIGUATIONS,
      description: "Which reading to use for a wall-clock time that a clock change skips or repeats",
    },
    dateOrder: { type: "string", enum: DATE_ORDERS, description: "Field order of a date such as 03/04/2026" },
    duration: text("add, subtract: ISO 8601 such as P3D, P1Y2M, P2W, PT36H, PT90M"),
    unit: {
      type: "string",
      enum: PERIODS,
      description: "start_of, end_of: which period. difference: unit of total. relative: unit of the result",
    },
    units: {
      type: "array",
      items: { type: "string", enum: PERIODS },
      maxItems: PERIODS.length,
      description: 'difference: units of parts, such as ["day", "hour"]',
    },
    // Not an enum, so that any letter case is accepted: models also write Friday.
    weekday: { type: "string", maxLength: MAX_NAME, description: `weekday: which one, ${WEEKDAYS.join(", ")}` },
    count: {
      type: "integer",
      minimum: -10_000,
      maximum: 10_000,
      description:
        "weekday: 1 the next one after datetime, 2 the one after that, -1 the last one before. add_business_days: how many. Default: 1",
    },
    weekend: {
      type: "array",
      items: { type: "string", maxLength: MAX_NAME },
      maxItems: 6,
      description: `Days that are not business days, such as ["friday", "saturday"]. Default: the agent's setting, or else saturday and sunday`,
    },
    holidays: {
      type: "array",
      items: { type: "string", maxLength: MAX_NAME },
      maxItems: MAX_LIST,
      description: "Further days that are not business days, such as 2026-12-25; no holidays are built in",
    },
    locale: text("format, relative: BCP 47 such as en-GB, de, ja. Default: en, or the agent's"),
    style: { type: "string", enum: STYLES, description: "format: Default: long" },
    pattern: text(
      "format: instead of style, a pattern of Unicode LDML fields such as EEEE, d MMMM yyyy 'at' HH:mm xxx",
    ),
  },
  required: ["operation"],
  additionalProperties: false,
};

/** The built-in tool `datetime`. */
export const datetimeTool: BuiltinTool = createDatetimeTool(DEFAULT_SETTINGS);

function createDatetimeTool(settings: DatetimeSettings): BuiltinTool {
  return {
    name: "datetime",
    description: [
      "Tells the current time and calculates with dates, times and time zones; use it instead of guessing either.",
      "now. parse: weekday, ISO week and so on of a date. format: as text, by style and locale or by pattern.",
      "relative: in 3 days, 2 hours ago. convert: the same moment in toTimezone.",
      "add, subtract: a duration; years to days keep the wall-clock time, hours to seconds count elapsed time; a day that the",
      "target month lacks becomes its last day. difference: from datetime to end, in unit or units if given.",
      "start_of, end_of: of the unit that contains datetime; weeks begin on Monday. weekday: the next one, or the count-th.",
      "add_business_days, count_business_days: with weekend and holidays. zone_info: offset, daylight saving time, and the next",
      "clock change. A wall-clock time that a clock change skips or repeats is an error unless disambiguation is set.",
    ].join(" "),
    parameters: PARAMETERS,
    sideEffect: "read_only",
    kind: "compute",
    isConfigured: true,
    configure: (config) => {
      const parsed = parseSettings(config);
      return "problems" in parsed ? parsed : { tool: createDatetimeTool(parsed.settings) };
    },
    async execute(parameters, { now }) {
      const nowMs = now();
      // A gateway starts without the 17 modules of the operations.
      const { runDatetime } = await import("./run-datetime.ts");
      return runDatetime(parameters, nowMs, settings);
    },
  };
}
