/**
 * How long a provider asks to wait, in ms; `undefined` when it does not say or what it says cannot be read.
 *
 * @param headers - with lower-case names. `retry-after-ms` counts before `retry-after`, as it is more exact.
 * @param nowMs - ms since the epoch, against which a date is measured.
 * @see RFC 9110, 10.2.3
 */
export function parseRetryAfter(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const milliseconds = toNumber(headers["retry-after-ms"]);
  if (milliseconds !== undefined) return Math.ceil(milliseconds);
  const value = headers["retry-after"];
  const seconds = toNumber(value);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const date = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,12}(?:\.\d{1,6})?\s*$/.test(text) ? Number(text) : undefined;
}
