/** Number of buckets above which full ones are dropped. */
const MAX_BUCKETS = 1_000;

interface Bucket {
  /** Tokens that are left. Negative if the limit was lowered in the meantime. */
  tokens: number;
  at: number;
}

/** Limits the requests per second of each workspace, with a token bucket whose capacity is that limit. */
export class RequestRate {
  readonly #monotonicNow: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** @param monotonicNow - returns the time of a monotonic clock in ms. */
  constructor(monotonicNow: () => number) {
    this.#monotonicNow = monotonicNow;
  }

  /**
   * Takes the token for one request.
   * @returns undefined if the request is allowed; otherwise the ms until the next request is allowed.
   */
  take(workspaceId: string, perSecond: number): number | undefined {
    if (perSecond === 0) return 1_000;
    const bucket = this.#refilled(workspaceId, perSecond);
    if (bucket.tokens < 1) return ((1 - bucket.tokens) / perSecond) * 1_000;
    bucket.tokens -= 1;
    return undefined;
  }

  /** Returns the number of requests that the bucket still counts. */
  used(workspaceId: string, perSecond: number): number {
    if (!this.#buckets.has(workspaceId)) return 0;
    return Math.max(0, Math.ceil(perSecond - this.#refilled(workspaceId, perSecond).tokens));
  }

  #refilled(workspaceId: string, perSecond: number): Bucket {
    const now = this.#monotonicNow();
    const known = this.#buckets.get(workspaceId);
    if (known === undefined) {
      this.#dropIdle(now);
      const bucket = { tokens: perSecond, at: now };
      this.#buckets.set(workspaceId, bucket);
      return bucket;
    }
    known.tokens = Math.min(perSecond, known.tokens + ((now - known.at) / 1_000) * perSecond);
    known.at = now;
    return known;
  }

  /** Drops the buckets that were not used for a second. Such a bucket is full, whatever its capacity. */
  #dropIdle(now: number): void {
    if (this.#buckets.size < MAX_BUCKETS) return;
    for (const [workspaceId, { at }] of this.#buckets) if (now - at >= 1_000) this.#buckets.delete(workspaceId);
  }
}
