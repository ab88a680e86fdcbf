import { AttemptWindow } from "./attempt-window.ts";

/** Of the attempts of a minute; see `AttemptWindow`. */
const BREAKER_RULE = {
  leastAttempts: 10,
  leastFailurePercent: 70,
  restMs: 30_000,
} as const;

/** What an attempt says of its endpoint. `nothing`: it was not sent, was cancelled, or had no fair chance. */
export type EndpointVerdict = "failing" | "working" | "nothing";

/** Leave to send one attempt. What becomes of an attempt of an earlier generation says nothing of the present. */
export interface Permit {
  readonly generation: number;
}

/** The state of a breaker at one moment. */
export interface BreakerState {
  /** `half_open`: it has rested, and the next attempt, or the one on its way, decides. */
  readonly state: "closed" | "open" | "half_open";
  /** Attempts of the last minute that count; while it is not closed, those that opened it. */
  readonly attempts: number;
  readonly failures: number;
  /** When it lets one attempt through, on the clock of `now`; null while it is not open. */
  readonly restsUntil: number | null;
}

/**
 * Keeps attempts away from an endpoint that fails: opens when at least 70 % of at least 10 attempts of a minute failed,
 * lets one through after 30 s, and closes when that works. Time comes from outside, in ms of a clock that never goes
 * back.
 */
export class CircuitBreaker {
  readonly #window = new AttemptWindow();
  #openedAt: number | null = null;
  #openedBy = { attempts: 0, failures: 0 };
  #trial: Permit | null = null;
  #generation = 0;

  /** Undefined: nothing may be sent. Every permit must be settled. */
  admit(now: number): Permit | undefined {
    if (this.#openedAt === null) return { generation: this.#generation };
    if (!this.wouldAdmit(now)) return undefined;
    this.#trial = { generation: this.#generation };
    return this.#trial;
  }

  wouldAdmit(now: number): boolean {
    return this.#openedAt === null || (this.#trial === null && now - this.#openedAt >= BREAKER_RULE.restMs);
  }

  /** @returns whether this opened it. */
  settle(permit: Permit, verdict: EndpointVerdict, now: number): boolean {
    if (permit.generation !== this.#generation) return false;
    if (permit === this.#trial) {
      this.#trial = null;
      if (verdict === "working") this.close();
      // After nothing was learned the next attempt is the trial.
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

  /** Also called by an operator who knows that the endpoint works again. */
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
