import { YagateError } from "@yagate/protocol";

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Parses a time: a date, a time with its zone, or an offset from now.
 *
 * @param direction - whether `7d` is before or after now.
 * @throws YagateError `INVALID_REQUEST` if it is not a time.
 */
export function momentOf(text: string, option: string, direction: "ago" | "from now"): string {
  const [, count = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const sign = direction === "ago" ? -1 : 1;
  if (count !== "") return new Date(Date.now() + sign * Number(count) * (UNITS[unit] ?? 0)).toISOString();
  const isWhole = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const at = isWhole ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  const message = `expected ${option} to be a date, a time with its zone, or a duration ${direction} such as 30m, 12h or 7d`;
  throw new YagateError("INVALID_REQUEST", message);
}
