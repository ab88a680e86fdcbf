import { AttemptWindow } from "./attempt-window.ts";

/** When the breaker opens, and for how long. The counts are those of the last minute; see `AttemptWindow`. */
const BREAKER_RULE = {
  leastAttempts: 10,
  leastFailurePercent: 70,
  restMs: 30_000,
} as const;

/**
 * What an attempt shows about its endpoint. `nothing`: the attempt was not sent, was cancelled, or had too little time.
 */
export type EndpointVerdict = "failing" | "working" | "nothing";

/**
 * Permission to send one attempt. The outcome of an attempt from an earlier generation is ignored, because it says
 * nothing about the endpoint's current state.
 */
export interface Permit {
  readonly generation: number;
}

/** The state of a circuit breaker at one time. */
export interface BreakerState {
  /**
   * `half_open`: the pause is over, and the outcome of the next attempt, or of the one in flight, closes or reopens the
   * breaker.
   */
  readonly state: "closed" | "open" | "half_open";
  /**
   * Number of attempts counted in the last minute. While the breaker is open or half-open, the number counted when it
   * opened.
   */
  readonly attempts: number;
  readonly failures: number;
  /** Time at which the breaker lets one attempt through, on the clock of `now`; null unless it is open. */
  readonly restsUntil: number | null;
}

/**
 * Blocks attempts to an endpoint that fails. It opens when at least 70% of at least 10 attempts within a minute have
 * failed, lets one attempt through after 30 s, and closes when that attempt works. It has no clock: each method
 * receives the time, in ms of a monotonic clock.
 */
export class CircuitBreaker {
  readonly #window = new AttemptWindow();
  #openedAt: number | null = null;
  #openedBy = { attempts: 0, failures: 0 };
  #trial: Permit | null = null;
  #generation = 0;

  /** Returns a permit, or undefined if nothing may be sent. Every permit must be settled. */
  admit(now: number): Permit | undefined {
    if (this.#openedAt === null) return { generation: this.#generation };
    if (!this.wouldAdmit(now)) return undefined;
    this.#trial = { generation: this.#generation };
    return this.#trial;
  }

  wouldAdmit(now: number): boolean {
    return this.#openedAt === null || (this.#trial === null && now - this.#openedAt >= BREAKER_RULE.restMs);
  }

  /**
   * Records the verdict of an attempt.
   *
   * @returns whether the verdict opened the breaker.
   */
  settle(permit: Permit, verdict: EndpointVerdict, now: number): boolean {
    if (permit.generation !== this.#generation) return false;
    if (permit === this.#trial) {
      this.#trial = null;
      if (verdict === "working") this.close();
      // If the trial shows nothing, the next attempt becomes the trial.
      else if (verdict === "failing") this.#open(now);
      return verdict === "failing";
    }
    if (verdict === "nothing") return false;
    this.#window.add(verdict === "failing", now);
    const counts = this.#window.countAt(now);
    if (!isFailing(counts)) return false;
    this.#openedBy = counts;
    this.#open(now);
    return true;
  }

  /** Closes the breaker. Also called when an operator enables the endpoint again. */
  close(): void {
    this.#generation += 1;
    this.#openedAt = null;
    this.#trial = null;
    this.#window.clear();
  }

  stateAt(now: number): BreakerState {
    if (this.#openedAt === null) return { state: "closed", ...this.#window.countAt(now), restsUntil: null };
    const restsUntil = this.#openedAt + BREAKER_RULE.restMs;
    return now < restsUntil
      ? { state: "open", ...this.#openedBy, restsUntil }
      : { state: "half_open", ...this.#openedBy, restsUntil: null };
  }

  #open(now: number): void {
    this.#generation += 1;
    this.#openedAt = now;
    this.#window.clear();
  }
}

function isFailing({ attempts, failures }: { readonly attempts: number; readonly failures: number }): boolean {
  return attempts >= BREAKER_RULE.leastAttempts && failures * 100 >= attempts * BREAKER_RULE.leastFailurePercent;
}
