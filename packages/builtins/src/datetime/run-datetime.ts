import { Temporal } from "temporal-polyfill";
import type { BuiltinOutcome } from "../builtin-tool.ts";
import { DateTimeError } from "./datetime-error.ts";
import { runOperation } from "./operations.ts";
import type { DatetimeSettings } from "./settings.ts";

/** Runs a call of the tool. `nowMs` is the current time in ms since the epoch. */
export function runDatetime(
  parameters: Parameters<typeof runOperation>[0],
  nowMs: number,
  settings: DatetimeSettings,
): BuiltinOutcome {
  try {
    // The current time is truncated to whole seconds, because milliseconds would add noise to every result.
    const currentSecond = Temporal.Instant.fromEpochMilliseconds(Math.floor(nowMs / 1000) * 1000);
    return { result: runOperation(parameters, currentSecond, settings) };
  } catch (error) {
    if (error instanceof DateTimeError) return invalid(error.message, error.hint);
    if (error instanceof RangeError) {
      return invalid("the date or the result is outside the supported years", undefined);
    }
    throw error;
  }
}

function invalid(message: string, hint = "correct the named field and call again"): BuiltinOutcome {
  return { error: { code: "INVALID_ARGUMENTS", message, hint, retryable: true } };
}
