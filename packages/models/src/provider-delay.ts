import { parseRetryAfter } from "@yagate/lib/http/retry-after";

const MILLISECONDS = /^\s*\d{1,12}(?:\.\d{1,6})?\s*$/;

/**
 * How long a provider asks to wait, in ms; `undefined` when it does not say or what it says cannot be read.
 *
 * @param headers - with lower-case names. `retry-after-ms` counts before `retry-after`, as it is more exact.
 * @param nowMs - ms since the epoch, against which a date is measured.
 */
export function providerDelayMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const exact = headers["retry-after-ms"];
  if (exact !== undefined && MILLISECONDS.test(exact)) return Math.ceil(Number(exact));
  return parseRetryAfter(headers["retry-after"], nowMs);
}
