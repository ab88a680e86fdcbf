import { Temporal } from "temporal-polyfill";
import { DateTimeError } from "./datetime-error.ts";
import { suggestZone } from "./suggest-zone.ts";

const NAME_OR_OFFSET = /^(?:[A-Za-z][A-Za-z0-9_+/-]{0,63}|[+-]\d{2}(?::?\d{2})?)$/;
/** Matches offsets such as UTC+2. UTC+2 and GMT+2 are ahead of UTC, although the IANA zone Etc/GMT+2 is behind it. */
const FROM_UTC = /^(?:UTC|GMT)\s*(?<sign>[-+−])\s*(?<hours>\d{1,2})(?::?(?<minutes>\d{2}))?$/i;

/**
 * Reads the name of a time zone.
 *
 * @param name - an IANA name in any letter case, `UTC`, or an offset such as `+05:30` or `UTC+2`.
 * @returns the IANA spelling.
 * @throws DateTimeError that says what is expected and, where possible, which zone was probably meant.
 */
export function parseTimeZone(name: string): string {
  const wanted = fromUtc(name.trim());
  if (/^z$/i.test(wanted)) return "UTC";
  if (NAME_OR_OFFSET.test(wanted)) {
    try {
      return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(wanted).timeZoneId;
    } catch {}
  }
  throw new DateTimeError(
    `expected an IANA time zone such as Europe/Paris, America/New_York or UTC, or an offset such as +05:30${suggestZone(wanted)}`,
  );
}

function fromUtc(name: string): string {
  const { sign, hours = "", minutes = "00" } = FROM_UTC.exec(name)?.groups ?? {};
  return sign === undefined ? name : `${sign === "+" ? "+" : "-"}${hours.padStart(2, "0")}:${minutes}`;
}
