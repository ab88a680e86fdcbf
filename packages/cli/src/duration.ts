import { YagateError } from "@yagate/protocol";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Parses a duration to ms: `500ms`, `30s`, `10m`, `2h` or `1d`; a plain number is seconds. At most 24 days.
 *
 * @throws YagateError `INVALID_REQUEST`.
 */
export function durationOf(text: string, option: string): number {
  const [, count = "", unit = "s"] = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s|m|h|d)?$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0);
  if (ms >= 1 && ms <= 24 * 86_400_000) return Math.round(ms);
  throw new YagateError("INVALID_REQUEST", `expected ${option} to be a duration such as 30s, 10m, 2h or 1d`);
}
