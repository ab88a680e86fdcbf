import { YagateError } from "@yagate/protocol";

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * How long, in ms, as a person writes it: `30s`, `10m`, `2h` or `1d`; at least a second and at most 24 days.
 *
 * @throws YagateError `INVALID_REQUEST`.
 */
export function durationOf(text: string, option: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0);
  if (ms >= 1_000 && ms <= 24 * 86_400_000) return ms;
  throw new YagateError("INVALID_REQUEST", `expected ${option} to be a time such as 30s, 10m, 2h or 1d`, {
    hint: "Nothing was sent.",
  });
}
