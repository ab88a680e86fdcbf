import { parseRetryAfter } from "@yagate/lib/http/retry-after";

const MILLISECONDS = /^\s*\d{1,12}(?:\.\d{1,6})?\s*$/;

/**
 * Returns the delay in ms that a provider requests; `undefined` if it is missing or invalid.
 *
 * @param headers - with lower-case names. `retry-after-ms` takes precedence over `retry-after`, because it is more
 *   precise.
 * @param nowMs - ms since the epoch, to which dates are relative.
 */
export function providerDelayMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const exact = headers["retry-after-ms"];
  if (exact !== undefined && MILLISECONDS.test(exact)) return Math.ceil(Number(exact));
  return parseRetryAfter(headers["retry-after"], nowMs);
}
