import type { CancelSignal } from "@yagate/lib/async/cancellation";
import { type BreakerState, CircuitBreaker, type EndpointVerdict, type Permit } from "./circuit-breaker.ts";

/** The limits on what this process sends to one endpoint. */
export interface TrafficLimits {
  /** Maximum number of concurrent attempts. */
  readonly concurrency: number;
  /** Maximum number of attempts that are waiting for a slot. */
  readonly queue: number;
}

/** One of the endpoint's concurrency slots, with the permission to send one attempt now. */
export interface Slot {
  /** Releases the slot. Call this once. */
  end(verdict: EndpointVerdict): void;
}

/** The reason why an attempt gets no slot. */
export type RejectionReason = "circuit_open" | "queue_full" | "out_of_time" | "cancelled";

/** The conditions that end the wait for a slot. */
export interface Patience {
  readonly signals: readonly CancelSignal[];
  /** Maximum wait in ms. */
  readonly forMs: number;
}

/** The attempts that this process is sending to an endpoint, and the state of the breaker. */
export interface TrafficState {
  readonly inFlight: number;
  readonly queued: number;
  readonly breaker: BreakerState;
}

/** Maximum delay of a Node timer, in ms. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Decides whether and when an attempt may be sent to its endpoint. The breaker decides whether, and the concurrency
 * limit decides when. Slots are assigned in order of arrival.
 */
export class EndpointLimiter {
  readonly #limits: TrafficLimits;
  readonly #now: () => number;
  readonly #breaker = new CircuitBreaker();
  /** Waiting attempts in order of arrival. Any of them may leave at any time. */
  readonly #waiting = new Set<(slot: Slot | RejectionReason) => void>();
  #inFlight = 0;

  /** @param now - returns the time of a monotonic clock in ms. */
  constructor(limits: TrafficLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Returns a slot, or the reason why there is none. If it returns undefined, call `wait`. */
  enter(): Slot | RejectionReason | undefined {
    // A released slot goes directly to the next waiting attempt, so no attempt waits while a slot is free.
    if (this.#inFlight < this.#limits.concurrency) return this.#admit();
    if (!this.#breaker.wouldAdmit(this.#now())) return "circuit_open";
    return this.#waiting.size < this.#limits.queue ? undefined : "queue_full";
  }

  /** Waits for a slot. Call this immediately after `enter` has returned undefined. */
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

  /** Closes the breaker, whatever it has counted, so that attempts can be sent again. */
  closeBreaker(): void {
    this.#breaker.close();
    this.#callWaiting();
  }

  /** Whether attempts may wait for a slot. */
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

  /**
   * Gives free slots to waiting attempts. While the breaker is open, rejects all waiting attempts immediately instead
   * of letting each wait for its rejection.
   */
  #callWaiting(): void {
    for (const settle of this.#waiting) {
      if (this.#inFlight >= this.#limits.concurrency && this.#breaker.wouldAdmit(this.#now())) return;
      settle(this.#inFlight < this.#limits.concurrency ? this.#admit() : "circuit_open");
    }
  }
}
