/** The claim of this process on the executions that it runs. */
export interface Lease {
  /** Name of this process in the rows that it claims. */
  readonly owner: string;
  /** Returns the time at which a claim that is made now expires unless it is renewed, in ms since the epoch. */
  leaseUntil(): number;
  /**
   * Number of times that the lease was taken while it was not held. Another owner may have claimed executions of an
   * earlier term in the meantime, and a renewal does not restore them.
   */
  readonly term: number;
  /**
   * Checks that this process still holds the lease.
   * @param term - the term in which the store last confirmed the ownership.
   * @throws LeaseLapsedError if the lease has expired on the monotonic clock, for example after a freeze, or if it
   *   expired after that term and was taken again.
   */
  assertHeld(term: number): void;
  /** Resolves once the lease is held again. */
  held(): Promise<void>;
  start(): Promise<void>;
  stop(): void;
}

/**
 * Thrown when the process was frozen or could not renew its lease, so that another owner may be running its executions.
 */
export class LeaseLapsedError extends Error {
  override readonly name = "LeaseLapsedError";
}

/** Time for which a claim is valid without a renewal, in ms. */
export const LEASE_MS = 10_000;
export const RENEW_EVERY_MS = 3_000;

export interface LeaseOptions {
  readonly owner: string;
  readonly renew: (leaseUntil: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** Current time in ms since the epoch. */
  readonly now: () => number;
  /** Returns the time of a monotonic clock that continues while the process is frozen, in ms. */
  readonly monotonicNow: () => number;
}

/**
 * Creates a lease that is renewed every 3 s. Each renewal is valid for 10 s, counted from before its request was sent.
 */
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
