import { Temporal } from "temporal-polyfill";
import { DateTimeError } from "./datetime-error.ts";

const NAME_OR_OFFSET = /^(?:[A-Za-z][A-Za-z0-9_+/-]{0,63}|[+-]\d{2}(?::?\d{2})?)$/;
const MAX_SUGGESTIONS = 3;

/**
 * Checks the name of a time zone.
 *
 * @param name - an IANA name in any case, `UTC`, or an offset such as `+05:30`.
 * @returns the name as IANA writes it.
 * @throws DateTimeError that says what is expected and, where it can, which zone was meant.
 */
export function parseTimeZone(name: string): string {
  const wanted = name.trim();
  if (/^z$/i.test(wanted)) return "UTC";
  if (NAME_OR_OFFSET.test(wanted)) {
    try {
      return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(wanted).timeZoneId;
    } catch {
      // Not a zone: answered below.
    }
  }
  const suggestions = suggestZones(wanted);
  const meant = suggestions.length === 0 ? "" : `; did you mean ${suggestions.join(" or ")}?`;
  throw new DateTimeError(
    `expected an IANA time zone such as Europe/Paris, America/New_York or UTC, or an offset such as +05:30${meant}`,
  );
}

/** Zones whose city or region the text names. */
function suggestZones(text: string): readonly string[] {
  const wanted = text.toLowerCase().replace(/[^a-z]+/g, "_");
  if (wanted.length < 3 || wanted.length > 40) return [];
  const zones = Intl.supportedValuesOf("timeZone");
  const endsWith = zones.filter((zone) => zone.toLowerCase().endsWith(`/${wanted}`));
  const contains = zones.filter((zone) => zone.toLowerCase().includes(wanted));
  return [...new Set([...endsWith, ...contains])].slice(0, MAX_SUGGESTIONS);
}
