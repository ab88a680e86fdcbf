/** Full buckets are dropped once there are more than this. */
const MAX_BUCKETS = 1_000;

interface Bucket {
  /** May be negative after the limit was lowered. */
  tokens: number;
  at: number;
}

/** Limits requests per second by workspace: a token bucket with a capacity of one second. */
export class RequestRate {
  readonly #monotonicNow: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** @param monotonicNow - ms on a clock that never jumps. */
  constructor(monotonicNow: () => number) {
    this.#monotonicNow = monotonicNow;
  }

  /**
   * Takes one request.
   * @returns undefined if the request is allowed; otherwise the ms until the next one is.
   */
  take(workspaceId: string, perSecond: number): number | undefined {
    if (perSecond === 0) return 1_000;
    const bucket = this.#refilled(workspaceId, perSecond);
    if (bucket.tokens < 1) return ((1 - bucket.tokens) / perSecond) * 1_000;
    bucket.tokens -= 1;
    return undefined;
  }

  /** Requests counted in the current second. */
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

  /** A bucket that was not used for a second is full, whatever its capacity. */
  #dropIdle(now: number): void {
    if (this.#buckets.size < MAX_BUCKETS) return;
    for (const [workspaceId, { at }] of this.#buckets) if (now - at >= 1_000) this.#buckets.delete(workspaceId);
  }
}
