import { type BreakerState, CircuitBreaker, type EndpointVerdict, type Permit } from "./circuit-breaker.ts";

/** Limits of what this process sends to one endpoint. */
export interface TrafficLimits {
  /** Attempts at the same time. */
  readonly concurrency: number;
  /** Attempts that wait for a slot. */
  readonly queue: number;
}

/** Permission to send one attempt now, and one of the endpoint's concurrency slots. */
export interface Slot {
  /** Releases the slot. Call it once. */
  end(verdict: EndpointVerdict): void;
}

/** Why an attempt gets no slot. */
export type RejectionReason = "circuit_open" | "queue_full" | "out_of_time" | "cancelled";

/** What ends waiting. */
export interface Patience {
  readonly signals: readonly AbortSignal[];
  /** Longest wait, in ms. */
  readonly forMs: number;
}

/** What this process sends to an endpoint at the moment. */
export interface TrafficState {
  readonly inFlight: number;
  readonly queued: number;
  readonly breaker: BreakerState;
}

/** Longest delay of a Node timer. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Decides when an attempt may be sent to its endpoint: the breaker decides whether, the concurrency limit when. Slots are
 * assigned in the order of arrival.
 */
export class EndpointLimiter {
  readonly #limits: TrafficLimits;
  readonly #now: () => number;
  readonly #breaker = new CircuitBreaker();
  /** In order of arrival; any of them may leave at any time. */
  readonly #waiting = new Set<(slot: Slot | RejectionReason) => void>();
  #inFlight = 0;

  /** @param now - ms of a clock that never goes back. */
  constructor(limits: TrafficLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** A slot, or why there is none; undefined: call `wait`. */
  enter(): Slot | RejectionReason | undefined {
    // A released slot goes to the next waiting attempt at once, so no attempt waits while a slot is free.
    if (this.#inFlight < this.#limits.concurrency) return this.#admit();
    if (!this.#breaker.wouldAdmit(this.#now())) return "circuit_open";
    return this.#waiting.size < this.#limits.queue ? undefined : "queue_full";
  }

  /** Waits for a slot. Call it right after `enter` returned undefined. */
  wait({ signals, forMs }: Patience): Promise<Slot | RejectionReason> {
    return new Promise((resolve) => {
      const settle = (slot: Slot | RejectionReason) => {
        this.#waiting.delete(settle);
        clearTimeout(timer);
        for (const signal of signals) signal.removeEventListener("abort", leave);
        resolve(slot);
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

  /** Whether attempts are in flight or wait for a slot. */
  get isBusy(): boolean {
    return this.#inFlight > 0 || this.#waiting.size > 0;
  }

  state(): TrafficState {
    return { inFlight: this.#inFlight, queued: this.#waiting.size, breaker: this.#breaker.stateAt(this.#now()) };
  }

  #admit(): Slot | RejectionReason {
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

  /** While the breaker is open, all waiting attempts are rejected at once: waiting for a rejection would only cost time. */
  #callWaiting(): void {
    for (const settle of this.#waiting) {
      if (this.#inFlight >= this.#limits.concurrency && this.#breaker.wouldAdmit(this.#now())) return;
      settle(this.#inFlight < this.#limits.concurrency ? this.#admit() : "circuit_open");
    }
  }
}
