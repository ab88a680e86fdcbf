import type { Temporal } from "temporal-polyfill";
import { formatPattern } from "./format-pattern.ts";
import { type Moment, toZoned } from "./moment.ts";
import type { Style } from "./names.ts";

/** How to format a moment. */
export interface FormatRequest {
  readonly locale: string;
  readonly style: Style | undefined;
  /** Pattern of Unicode LDML fields; overrides `style`. */
  readonly pattern: string | undefined;
  /** The time zone in which a day starts, for formats that include the time. */
  readonly timezone: string;
}

/** Formats a moment by a pattern or a style. @throws DateTimeError for an invalid pattern. */
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
  // Some locales put a narrow space before am and pm, which text comparisons would not match.
  return format.format(zoned.epochMilliseconds).replace(/[\u202f\u00a0]/g, " ");
}
