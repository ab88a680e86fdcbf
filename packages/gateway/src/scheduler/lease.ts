/** The claim of this process on the executions that it runs. */
export interface Lease {
  /** The name under which rows are claimed. */
  readonly owner: string;
  /** Until when a row that is claimed now belongs to this process without renewal, ms since the epoch. */
  leaseUntil(): number;
  /**
   * How often the lease was taken after it had not been held. Another owner may have claimed the executions of an earlier
   * term meanwhile; a renewal does not restore them.
   */
  readonly term: number;
  /**
   * @param term - the term in which the store last confirmed the ownership.
   * @throws LeaseLapsedError if the lease has expired on the monotonic clock, as after a freeze, or has expired since that
   * term and was taken again.
   */
  assertHeld(term: number): void;
  /** Resolves once the lease is held again. */
  held(): Promise<void>;
  start(): Promise<void>;
  stop(): void;
}

/** The process was frozen, or could not renew its lease: another owner may be running its executions. */
export class LeaseLapsedError extends Error {
  override readonly name = "LeaseLapsedError";
}

/** How long a claim holds without renewal. */
export const LEASE_MS = 10_000;
export const RENEW_EVERY_MS = 3_000;

export interface LeaseOptions {
  readonly owner: string;
  readonly renew: (leaseUntil: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** ms since the epoch. */
  readonly now: () => number;
  /** ms on a clock that continues while the process is frozen and never jumps. */
  readonly monotonicNow: () => number;
}

/** Creates a lease that is renewed every 3 s; each renewal holds for 10 s from before its request. */
export function createLease(options: LeaseOptions): Lease {
  let heldUntil = Number.NEGATIVE_INFINITY;
  let term = 0;
  let timer: NodeJS.Timeout | undefined;
  let renewal: Promise<void> | undefined;

  async function renew(): Promise<void> {
    const before = options.monotonicNow();
    await options.renew(options.now() + LEASE_MS);
    if (!isHeld()) term += 1;
    heldUntil = before + LEASE_MS;
  }

  function renewOnce(): Promise<void> {
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  const isHeld = () => options.monotonicNow() < heldUntil;

  return {
    owner: options.owner,
    leaseUntil: () => Math.floor(options.now() + Math.max(0, heldUntil - options.monotonicNow())),
    get term() {
      return term;
    },
    assertHeld(knownTerm) {
      if (isHeld() && knownTerm === term) return;
      throw new LeaseLapsedError("expected an unbroken lease; it expired before it was renewed");
    },
    async held() {
      while (!isHeld()) await renewOnce();
    },
    async start() {
      await renewOnce();
      timer = setInterval(() => renewOnce().catch(options.onError), RENEW_EVERY_MS);
      timer.unref();
    },
    stop() {
      clearInterval(timer);
    },
  };
}
