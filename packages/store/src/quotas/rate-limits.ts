import { YagateError } from "@yagate/protocol";
import { fromJson } from "../json-column.ts";

/** The maximum number of calls with one key in any window of a given length. */
export interface RateLimit {
  /** Identifies the calls to count together. Always use the same `windowMs` for a key. */
  readonly key: string;
  /** 1 to 1,000. */
  readonly limit: number;
  readonly windowMs: number;
}

/** The decision on a call: allowed, or the exhausted limit with the longest wait. */
export type TakenCall =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly key: string; readonly retryAfterMs: number };

/** Counts calls across all replicas. */
export interface RateLimitStore {
  /**
   * Counts one call towards every limit, or towards none if one of them is exhausted. The limits are exact: no window
   * of `windowMs` contains more than `limit` calls. The call's time is `now`, or the time of the latest call with one
   * of its keys, whichever is later.
   *
   * @param call.limits - must have different keys.
   * @param call.now - ms since the epoch.
   */
  takeCall(call: { readonly limits: readonly RateLimit[]; readonly now: number }): Promise<TakenCall>;
}

/** The stored row of a key: the times of its calls, oldest first. */
export interface RateLimitRow {
  readonly key: string;
  readonly moments: string;
}

/** A row after a call was taken. */
export interface TakenRow extends RateLimitRow {
  readonly expiresAt: number;
}

const MAX_CALLS = 1_000;

/** @throws YagateError `INTERNAL` if the limits are invalid. */
export function assertLimits(limits: readonly RateLimit[]): void {
  const isCountable = ({ limit, windowMs }: RateLimit) =>
    Number.isInteger(limit) && limit >= 1 && limit <= MAX_CALLS && Number.isInteger(windowMs) && windowMs >= 1;
  const keys = new Set(limits.map(({ key }) => key));
  if (limits.every(isCountable) && keys.size === limits.length) return;
  throw new YagateError("INTERNAL", `expected limits of 1 to ${MAX_CALLS} calls with different keys`);
}

/** Decides whether a call is allowed, from the rows of all its keys. */
export function takeFrom(
  rows: readonly RateLimitRow[],
  limits: readonly RateLimit[],
  now: number,
): { readonly refusal: TakenCall & { readonly allowed: false } } | { readonly rows: readonly TakenRow[] } {
  const known = new Map(rows.map(({ key, moments }) => [key, fromJson<readonly number[]>(moments)]));
  const momentsOf = (key: string) => known.get(key) ?? [];
  // If this replica's clock is slow, calls from other replicas must not count as future calls outside the window.
  const at = limits.reduce((latest, { key }) => Math.max(latest, momentsOf(key).at(-1) ?? latest), now);
  const counted = limits.map((rate) => {
    const moments = momentsOf(rate.key).filter((moment) => moment > at - rate.windowMs);
    // The next call is allowed when this call has left the window.
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
