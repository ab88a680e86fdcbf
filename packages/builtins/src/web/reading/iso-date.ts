const ISO =
  /^(\d{4})(?:-?(\d{2})(?:-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?)?)?$/i;
const RFC_2822 =
  /^(?:[a-z]{3},?\s+)?\d{1,2}\s+[a-z]{3}[a-z]*\s+\d{4}\s+\d{1,2}:\d{2}(?::\d{2})?\s*(?:[a-z]{1,5}|[+-]\d{4})$/i;

/**
 * Converts a date from a document to ISO 8601, in UTC if it has an offset. Missing parts stay missing. Returns
 * `undefined` for an invalid or ambiguous date.
 */
export function toIsoDate(written: string | undefined): string | undefined {
  const text = written?.trim() ?? "";
  if (text === "" || text.length > 60) return undefined;
  const parts = ISO.exec(text);
  if (parts !== null) return isoOf(parts);
  if (!RFC_2822.test(text)) return undefined;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : withoutMilliseconds(moment);
}

function isoOf([, year, month, day, hour, minute, second, offset]: readonly (string | undefined)[]):
  | string
  | undefined {
  const date = [year, month, day].filter((part) => part !== undefined).join("-");
  if (Number(month ?? 1) < 1 || Number(month ?? 1) > 12) return undefined;
  if (day !== undefined) {
    const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
    if (Number(day) < 1 || Number(day) > days) return undefined;
  }
  if (hour === undefined) return date;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return undefined;
  const local = `${date}T${hour}:${minute}:${second ?? "00"}`;
  if (offset === undefined) return local;
  const zone = offset.toUpperCase() === "Z" ? "Z" : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
  const moment = Date.parse(local + zone);
  return Number.isNaN(moment) ? undefined : withoutMilliseconds(moment);
}

function withoutMilliseconds(moment: number): string {
  return new Date(moment).toISOString().replace(/\.\d{3}Z$/, "Z");
}
