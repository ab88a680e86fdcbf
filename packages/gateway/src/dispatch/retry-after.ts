const SECONDS = /^\d+$/;
const TIME = String.raw`\d{2}:\d{2}:\d{2}`;
/** The preferred form of RFC 9110 §5.6.7 and the two obsolete ones, which must be understood too. */
const HTTP_DATES = [
  new RegExp(String.raw`^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} ${TIME} GMT$`),
];
const ASCTIME = new RegExp(String.raw`^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d ${TIME} \d{4}$`);

/**
 * How long a `Retry-After` asks to wait, in ms: whole seconds or an HTTP date, in the past as 0.
 *
 * @param now - ms since the epoch.
 * @returns undefined for a missing header and for anything else.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? "";
  if (SECONDS.test(value)) return Math.min(Number(value) * 1_000, Number.MAX_SAFE_INTEGER);
  const at = parseHttpDate(value);
  return at === undefined ? undefined : Math.max(0, at - now);
}

function parseHttpDate(text: string): number | undefined {
  // Without a zone it would be read as local time.
  const dated = ASCTIME.test(text) ? `${text} GMT` : text;
  if (dated === text && !HTTP_DATES.some((form) => form.test(text))) return undefined;
  const at = Date.parse(dated);
  return Number.isNaN(at) ? undefined : at;
}
