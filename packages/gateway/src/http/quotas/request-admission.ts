import type { Quotas } from "@yagate/protocol";
import { QuotaExceededError } from "@yagate/store/quotas/quota-exceeded";
import { RequestRate } from "./request-rate.ts";

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
