import type { Quotas } from "@yagate/protocol";
import { QuotaExceededError } from "@yagate/store/quotas/quota-exceeded";
import { RequestRate } from "./request-rate.ts";

/** A request that was let in. */
export interface AdmittedRequest {
  /** Counts bytes of its body. @throws QuotaExceededError when the workspace has too many in flight. */
  takeBytes(bytes: number): void;
  /** It is answered: its bytes count no more. Repeatable. */
  end(): void;
}

/** What this process lets in of each workspace: requests a second, and bytes of their bodies at a time. */
export class RequestAdmission {
  readonly #quotasOf: (workspaceId: string) => Promise<Quotas>;
  readonly #rate: RequestRate;
  readonly #bytes = new Map<string, number>();

  /** @param options.monotonicNow - in ms; the time of day may jump. */
  constructor(options: {
    readonly quotasOf: (workspaceId: string) => Promise<Quotas>;
    readonly monotonicNow: () => number;
  }) {
    this.#quotasOf = options.quotasOf;
    this.#rate = new RequestRate(options.monotonicNow);
  }

  /** @throws QuotaExceededError when the workspace sends too many requests. */
  async admit(workspaceId: string): Promise<AdmittedRequest> {
    const { requestsPerSecond, requestBytesInFlight } = await this.#quotasOf(workspaceId);
    if (requestsPerSecond !== null) this.#takeRequest(workspaceId, requestsPerSecond);
    let taken = 0;
    let isOpen = true;
    return {
      takeBytes: (bytes) => {
        // The request has ended: what still arrives of its body is dropped.
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

  /** @param perSecond - the limit; null: unlimited, and nothing is counted. */
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
