const TIME = String.raw`\d{2}:\d{2}:\d{2}`;
/** The preferred form and the obsolete form from RFC 850, which both contain the zone. */
const WITH_ZONE = [
  new RegExp(String.raw`^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} ${TIME} GMT$`),
];
/** The form of C's `asctime`, which has no zone and is in UTC. */
const ASCTIME = new RegExp(String.raw`^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d ${TIME} \d{4}$`);

/**
 * Parses an HTTP date in any of its three forms.
 *
 * @returns milliseconds since the epoch; `undefined` if the text has another form, even if `Date.parse` would accept
 *   it.
 * @see RFC 9110, 5.6.7
 */
export function parseHttpDate(text: string): number | undefined {
  const isAsctime = ASCTIME.test(text);
  if (!isAsctime && !WITH_ZONE.some((form) => form.test(text))) return undefined;
  // Without a zone, the date would be parsed as local time.
  const at = Date.parse(isAsctime ? `${text} GMT` : text);
  return Number.isNaN(at) ? undefined : at;
}
