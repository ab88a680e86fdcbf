import { Temporal } from "temporal-polyfill";
import type { BuiltinOutcome, BuiltinTool } from "../builtin-tool.ts";
import { DateTimeError } from "./datetime-error.ts";
import { OPERATIONS, runOperation } from "./operations.ts";
import { PERIODS } from "./period.ts";

const MAX_TEXT = 100;

/** The built-in `datetime`. */
export const datetimeTool: BuiltinTool = {
  name: "datetime",
  description: [
    "Tells the current time and calculates with dates, times and time zones; use it instead of guessing either.",
    "now: the current time. parse: weekday, ISO week and so on of a date. convert: the same moment in toTimezone.",
    "add, subtract: a duration; years to days keep the wall-clock time across clock changes, hours to seconds are",
    "elapsed time, and the end of a month stays inside the month. difference: from datetime to end, in unit if given.",
    "start_of, end_of: of the unit that datetime lies in; weeks begin on Monday, ends are the last day or millisecond.",
    "A wall-clock time that a clock change skips is moved forward, of one that happens twice the first is taken; a note says so.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      operation: { type: "string", enum: OPERATIONS },
      datetime: {
        type: "string",
        maxLength: MAX_TEXT,
        description:
          "ISO 8601: 2026-11-21 (a day), 2026-11-21T09:30 (in timezone), 2026-11-21T09:30:00+01:00; or now, today. Default: now",
      },
      end: {
        type: "string",
        maxLength: MAX_TEXT,
        description: "difference: the later moment, as datetime. Default: now",
      },
      timezone: {
        type: "string",
        maxLength: MAX_TEXT,
        description:
          "IANA name such as Europe/Paris: the zone of a datetime without an offset, and of the answer. Default: the datetime's own, or UTC",
      },
      toTimezone: {
        type: "string",
        maxLength: MAX_TEXT,
        description: "convert: the IANA name of the zone to show it in",
      },
      duration: {
        type: "string",
        maxLength: MAX_TEXT,
        description: "add, subtract: ISO 8601 such as P3D, P1Y2M, P2W, PT36H, PT90M",
      },
      unit: { type: "string", enum: PERIODS, description: "start_of, end_of: which period. difference: unit of total" },
    },
    required: ["operation"],
    additionalProperties: false,
  },
  sideEffect: "read_only",
  kind: "compute",
  isConfigured: true,
  async execute(parameters, { now }) {
    try {
      // Whole seconds: nobody asks a model for milliseconds, and they would be in every answer.
      const currentSecond = Temporal.Instant.fromEpochMilliseconds(Math.floor(now() / 1000) * 1000);
      return { result: runOperation(parameters, currentSecond) };
    } catch (error) {
      if (error instanceof DateTimeError) return invalid(error.message);
      if (error instanceof RangeError)
        return invalid("the date or the result is outside the years that can be represented");
      throw error;
    }
  },
};

function invalid(message: string): BuiltinOutcome {
  return {
    error: { code: "INVALID_ARGUMENTS", message, hint: "correct the named field and call again", retryable: true },
  };
}
