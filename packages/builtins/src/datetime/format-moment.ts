import type { Temporal } from "temporal-polyfill";
import { formatPattern } from "./format-pattern.ts";
import { type Moment, toZoned } from "./moment.ts";

/** Ways to write a moment: lengths of the locale, and standards. */
export const STYLES = ["full", "long", "medium", "short", "iso", "rfc2822", "http", "unix"] as const;
export type Style = (typeof STYLES)[number];

/** How a moment is to be written. */
export interface FormatRequest {
  readonly locale: string;
  readonly style: Style | undefined;
  /** Unicode LDML; goes before `style`. */
  readonly pattern: string | undefined;
  /** Where a day begins, if the time is wanted. */
  readonly timezone: string;
}

/** A moment as text. @throws DateTimeError for a pattern that can't be read. */
export function formatMoment(moment: Moment, { locale, style = "long", pattern, timezone }: FormatRequest): string {
  const zoned = toZoned(moment, timezone);
  if (pattern !== undefined) return formatPattern(zoned, pattern, locale);
  switch (style) {
    case "iso":
      return moment.kind === "day" ? moment.date.toString() : zoned.toString({ timeZoneName: "never" });
    case "rfc2822":
      return formatPattern(zoned, "EEE, dd MMM yyyy HH:mm:ss xx", "en-US");
    case "http":
      return formatPattern(zoned.withTimeZone("UTC"), "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "en-US");
    case "unix":
      return String(Math.floor(zoned.epochMilliseconds / 1000));
    default:
      return localised(moment, zoned, { locale, style });
  }
}

function localised(
  moment: Moment,
  zoned: Temporal.ZonedDateTime,
  { locale, style }: { readonly locale: string; readonly style: "full" | "long" | "medium" | "short" },
): string {
  const time = moment.kind === "day" ? {} : { timeStyle: style };
  const format = new Intl.DateTimeFormat(locale, { dateStyle: style, ...time, timeZone: zoned.timeZoneId });
  // The narrow spaces that some locales have before am and pm are one character more than anybody compares with.
  return format.format(zoned.epochMilliseconds).replace(/[\u202f\u00a0]/g, " ");
}
