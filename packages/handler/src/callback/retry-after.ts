/**
 * Parses `Retry-After` (RFC 9110 §10.2.3): seconds, or a date.
 *
 * @returns milliseconds from `nowMs`, at least 0, or `undefined` for anything else.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  // Every form of an HTTP date begins with the name of a day; Date.parse would take far more.
  const atMs = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
