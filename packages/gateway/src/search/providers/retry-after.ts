/** Longest time that a service is believed to need: a month's quota. */
const MAX_MS = 31 * 86_400_000;

/**
 * How long a service asks to wait, in ms: whole seconds or an HTTP date, in the past as 0.
 *
 * @param now - ms since the epoch.
 * @returns undefined for a missing header and for one that cannot be read.
 * @see RFC 9110, 10.2.3
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? "";
  if (/^\d{1,12}$/.test(value)) return Math.min(Number(value) * 1_000, MAX_MS);
  if (!/ GMT$/.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), MAX_MS);
}
