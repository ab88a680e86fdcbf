import { parseHttpDate } from "./http-date.ts";

const SECONDS = /^\d+(?:\.\d+)?$/;

/**
 * Parses the `Retry-After` header: seconds or an HTTP date. Fractions of seconds are accepted, although the RFC does
 * not allow them, because several APIs send them.
 *
 * @param header - as received; null or undefined if it is absent.
 * @param nowMs - milliseconds since the epoch.
 * @returns milliseconds to wait, at least 0; `undefined` if the header is absent or invalid.
 * @see RFC 9110, 10.2.3
 */
export function parseRetryAfter(header: string | null | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (SECONDS.test(text)) return Math.min(Math.ceil(Number(text) * 1_000), Number.MAX_SAFE_INTEGER);
  const at = parseHttpDate(text);
  return at === undefined ? undefined : Math.max(0, at - nowMs);
}
