import type { Quotas } from "@yagate/protocol";
import { QuotaExceededError } from "@yagate/store/quotas/quota-exceeded";

/** An admitted request. */
export interface AdmittedRequest {
  /**
   * Counts bytes of the body.
   * @throws QuotaExceededError if the workspace has too many body bytes in flight.
   */
  takeBytes(bytes: number): void;
  /** Ends the request, so that its bytes no longer count. Idempotent. */
  end(): void;
}

/** Limits the requests of each workspace in this process: their number per second, and the body bytes in flight. */
export class RequestAdmission {
  readonly #quotasOf: (workspaceId: string) => Promise<Quotas>;
  readonly #rate: RequestRate;
  readonly #bytes = new Map<string, number>();

  /** @param options.monotonicNow - returns the time of a monotonic clock in ms. */
  constructor(options: {
    readonly quotasOf: (workspaceId: string) => Promise<Quotas>;
    readonly monotonicNow: () => number;
  }) {
    this.#quotasOf = options.quotasOf;
    this.#rate = new RequestRate(options.monotonicNow);
  }

  /**
   * Counts a request and returns its admission.
   * @throws QuotaExceededError if the workspace sends too many requests.
   */
  async admit(workspaceId: string): Promise<AdmittedRequest> {
    const { requestsPerSecond, requestBytesInFlight } = await this.#quotasOf(workspaceId);
    if (requestsPerSecond !== null) this.#takeRequest(workspaceId, requestsPerSecond);
    let taken = 0;
    let isOpen = true;
    return {
      takeBytes: (bytes) => {
        // The request has already ended, so the rest of its body is dropped.
        if (!isOpen) return;
        const used = this.bytesInFlight(workspaceId);
        const limit = requestBytesInFlight;
        if (limit !== null && used + bytes > limit) {
          throw new QuotaExceededError({ quota: "requestBytesInFlight", limit, used, retryAfterSeconds: 1 });
        }
        taken += bytes;
        this.#bytes.set(workspaceId, used + bytes);
      },
      end: () => {
        isOpen = false;
        const left = this.bytesInFlight(workspaceId) - taken;
        taken = 0;
        if (left === 0) this.#bytes.delete(workspaceId);
        else this.#bytes.set(workspaceId, left);
      },
    };
  }

  bytesInFlight(workspaceId: string): number {
    return this.#bytes.get(workspaceId) ?? 0;
  }

  /**
   * Returns the number of requests that count towards the limit at this time.
   *
   * @param perSecond - the limit; null if unlimited, in which case nothing is counted.
   */
  requestsUsed(workspaceId: string, perSecond: number | null): number {
    return perSecond === null ? 0 : this.#rate.used(workspaceId, perSecond);
  }

  #takeRequest(workspaceId: string, limit: number): void {
    const waitMs = this.#rate.take(workspaceId, limit);
    if (waitMs === undefined) return;
    throw new QuotaExceededError({
      quota: "requestsPerSecond",
      limit,
      used: limit,
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    });
  }
}

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
