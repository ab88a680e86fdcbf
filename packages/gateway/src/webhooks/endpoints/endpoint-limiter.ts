import { type BreakerState, CircuitBreaker, type EndpointVerdict, type Permit } from "./circuit-breaker.ts";

/** Bounds of what one endpoint is sent by this process. */
export interface TrafficLimits {
  /** Attempts at the same time. */
  readonly concurrency: number;
  /** Attempts that wait for their turn. */
  readonly queue: number;
}

/** Leave to send one attempt now, and a place among those that are on their way. */
export interface Turn {
  /** Gives the place back; to be called once. */
  end(verdict: EndpointVerdict): void;
}

/** Why an attempt gets no turn. */
export type RejectionReason = "circuit_open" | "queue_full" | "out_of_time" | "cancelled";

/** What ends waiting. */
export interface Patience {
  readonly signals: readonly AbortSignal[];
  /** Longest wait, in ms. */
  readonly forMs: number;
}

/** What an endpoint is sent at one moment. */
export interface TrafficState {
  readonly inFlight: number;
  readonly queued: number;
  readonly breaker: BreakerState;
}

/** Longest delay of a Node timer. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Decides when an attempt may be sent to its endpoint: the breaker says whether, the concurrency limit when. Whoever
 * came first goes first, and nobody overtakes those that wait.
 */
export class EndpointLimiter {
  readonly #limits: TrafficLimits;
  readonly #now: () => number;
  readonly #breaker = new CircuitBreaker();
  /** In the order in which they came; any of them may leave at any moment. */
  readonly #waiting = new Set<(turn: Turn | RejectionReason) => void>();
  #inFlight = 0;

  /** @param now - ms of a clock that never goes back. */
  constructor(limits: TrafficLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** A turn, or why there is none; undefined when it must be waited for. */
  enter(): Turn | RejectionReason | undefined {
    // A place that becomes free is given to whoever waits in the same moment: one that is free now has nobody waiting.
    if (this.#inFlight < this.#limits.concurrency) return this.#admit();
    if (!this.#breaker.wouldAdmit(this.#now())) return "circuit_open";
    return this.#waiting.size < this.#limits.queue ? undefined : "queue_full";
  }

  /** Waits for a turn; to be called right after `enter` said so. */
  wait({ signals, forMs }: Patience): Promise<Turn | RejectionReason> {
    return new Promise((resolve) => {
      const settle = (turn: Turn | RejectionReason) => {
        this.#waiting.delete(settle);
        clearTimeout(timer);
        for (const signal of signals) signal.removeEventListener("abort", leave);
        resolve(turn);
      };
      const leave = () => settle("cancelled");
      const timer = setTimeout(() => settle("out_of_time"), Math.min(Math.max(0, forMs), MAX_TIMER_MS));
      for (const signal of signals) signal.addEventListener("abort", leave, { once: true });
      this.#waiting.add(settle);
    });
  }

  /** Lets attempts through again, whatever the breaker has counted. */
  closeBreaker(): void {
    this.#breaker.close();
    this.#callWaiting();
  }

  /** Whether attempts may wait here at all. */
  get hasQueue(): boolean {
    return this.#limits.queue > 0;
  }

  /** Attempts are on their way, or wait for their turn. */
  get isBusy(): boolean {
    return this.#inFlight > 0 || this.#waiting.size > 0;
  }

  state(): TrafficState {
    return { inFlight: this.#inFlight, queued: this.#waiting.size, breaker: this.#breaker.stateAt(this.#now()) };
  }

  #admit(): Turn | RejectionReason {
    const permit = this.#breaker.admit(this.#now());
    if (permit === undefined) return "circuit_open";
    this.#inFlight += 1;
    return { end: (verdict) => this.#end(permit, verdict) };
  }

  #end(permit: Permit, verdict: EndpointVerdict): void {
    this.#inFlight -= 1;
    this.#breaker.settle(permit, verdict, this.#now());
    this.#callWaiting();
  }

  /** While the breaker is open everybody is told so at once: to wait for a refusal would only cost time. */
  #callWaiting(): void {
    for (const settle of this.#waiting) {
      if (this.#inFlight >= this.#limits.concurrency && this.#breaker.wouldAdmit(this.#now())) return;
      settle(this.#inFlight < this.#limits.concurrency ? this.#admit() : "circuit_open");
    }
  }
}
