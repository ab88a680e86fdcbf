import { YagateError } from "@yagate/protocol";
import { fromJson } from "../json-column.ts";

/** Calls that may be made under one key in any span of a length. */
export interface RateLimit {
  /** What is counted; always with the same `windowMs`. */
  readonly key: string;
  /** 1 to 1 000. */
  readonly limit: number;
  readonly windowMs: number;
}

/** Whether a call may be made now, and if not, which limit is in its way longest. */
export type TakenCall =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly key: string; readonly retryAfterMs: number };

/** Counts calls for all replicas together. */
export interface RateLimitStore {
  /**
   * Takes one call from every limit, or from none when one of them is used up. Exact: in no span of `windowMs` more than
   * `limit` calls are allowed. The moment of a call is `now`, or that of the latest call under its keys if that is later.
   *
   * @param call.limits - of different keys.
   * @param call.now - ms since the epoch.
   */
  takeCall(call: { readonly limits: readonly RateLimit[]; readonly now: number }): Promise<TakenCall>;
}

/** A key's row: the moments of its calls, oldest first. */
export interface RateLimitRow {
  readonly key: string;
  readonly moments: string;
}

/** A row as it is after a call was taken. */
export interface TakenRow extends RateLimitRow {
  readonly expiresAt: number;
}

const MAX_CALLS = 1_000;

/** @throws YagateError `INTERNAL` for limits that could not be kept. */
export function assertLimits(limits: readonly RateLimit[]): void {
  const isCountable = ({ limit, windowMs }: RateLimit) =>
    Number.isInteger(limit) && limit >= 1 && limit <= MAX_CALLS && Number.isInteger(windowMs) && windowMs >= 1;
  const keys = new Set(limits.map(({ key }) => key));
  if (limits.every(isCountable) && keys.size === limits.length) return;
  throw new YagateError("INTERNAL", `expected limits of 1 to ${MAX_CALLS} calls with different keys`);
}

/** Decides on a call, given the rows of all of its keys. */
export function takeFrom(
  rows: readonly RateLimitRow[],
  limits: readonly RateLimit[],
  now: number,
): { readonly refusal: TakenCall & { readonly allowed: false } } | { readonly rows: readonly TakenRow[] } {
  const known = new Map(rows.map(({ key, moments }) => [key, fromJson<readonly number[]>(moments)]));
  const momentsOf = (key: string) => known.get(key) ?? [];
  // A replica whose clock is slow must not find calls of another one in its future, and so outside of its window.
  const at = limits.reduce((latest, { key }) => Math.max(latest, momentsOf(key).at(-1) ?? latest), now);
  const counted = limits.map((rate) => {
    const moments = momentsOf(rate.key).filter((moment) => moment > at - rate.windowMs);
    // The call that must have left the window before there is room for one more.
    const last = moments.at(-rate.limit);
    const retryAfterMs = moments.length < rate.limit || last === undefined ? 0 : last + rate.windowMs - at;
    return { ...rate, moments, retryAfterMs };
  });
  const [longest] = counted.toSorted((left, right) => right.retryAfterMs - left.retryAfterMs);
  if (longest !== undefined && longest.retryAfterMs > 0) {
    return { refusal: { allowed: false, key: longest.key, retryAfterMs: longest.retryAfterMs } };
  }
  return {
    rows: counted.map(({ key, moments, windowMs }) => ({
      key,
      moments: JSON.stringify([...moments, at]),
      expiresAt: at + windowMs,
    })),
  };
}
