import { toIsoDate } from "../iso-date.ts";

const PDF_DATE = /^(?:D:)?(\d{4})(\d{2})?(\d{2})?(?:(\d{2})(\d{2})(\d{2})?)?(?:(Z)|([+-])(\d{2})'?(\d{2})?'?)?/;

/** Converts a PDF date (ISO 32000-1, 7.9.4) to ISO 8601. */
export function toPdfDate(written: string | undefined): string | undefined {
  const parts = PDF_DATE.exec(written?.trim() ?? "");
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second = "00", zulu, sign, hours, minutes = "00"] = parts;
  const date = [year, month, day].filter((part) => part !== undefined).join("-");
  if (hour === undefined) return toIsoDate(date);
  const offset = sign === undefined ? (zulu ?? "") : `${sign}${hours}:${minutes}`;
  return toIsoDate(`${date}T${hour}:${minute}:${second}${offset}`);
}
