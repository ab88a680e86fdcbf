import { type FieldError, type JsonObject, toFieldErrors } from "@yagate/protocol";
import * as z from "zod";
import { DateTimeError } from "./datetime-error.ts";
import { isLocale } from "./locale.ts";
import { WEEKDAYS, type Weekday } from "./names.ts";
import { parseTimeZone } from "./time-zone.ts";

/** Defaults that an agent's author sets for all calls of the agent. */
export interface DatetimeSettings {
  /** The zone for a datetime without one, and for results; default UTC. */
  readonly timezone: string;
  /** BCP 47 tag; default en. */
  readonly locale: string;
  /** Days that are not business days; default Saturday and Sunday. */
  readonly weekend: readonly Weekday[];
}

export const DEFAULT_SETTINGS: DatetimeSettings = {
  timezone: "UTC",
  locale: "en",
  weekend: ["saturday", "sunday"],
};

const configSchema = z.strictObject({
  timezone: z
    .string()
    .max(100)
    .refine(isTimeZone, { error: "expected an IANA time zone such as Europe/Paris" })
    .transform(parseTimeZone)
    .optional(),
  locale: z.string().max(100).refine(isLocale, { error: "expected a BCP 47 locale such as de-AT" }).optional(),
  weekend: z.array(z.enum(WEEKDAYS)).max(6).optional(),
});

/** Reads an agent's `config` for the tool. */
export function parseSettings(
  config: JsonObject,
): { readonly settings: DatetimeSettings } | { readonly problems: readonly FieldError[] } {
  const parsed = configSchema.safeParse(config);
  if (!parsed.success) return { problems: toFieldErrors(parsed.error) };
  const { timezone, locale, weekend } = parsed.data;
  return {
    settings: {
      timezone: timezone ?? DEFAULT_SETTINGS.timezone,
      locale: locale ?? DEFAULT_SETTINGS.locale,
      weekend: weekend ?? DEFAULT_SETTINGS.weekend,
    },
  };
}

function isTimeZone(name: string): boolean {
  try {
    parseTimeZone(name);
    return true;
  } catch (error) {
    if (error instanceof DateTimeError) return false;
    throw error;
  }
}
