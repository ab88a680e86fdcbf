import type { EgressError } from "@yagate/egress";
import type { CallAnswer } from "@yagate/execution-machine/call-outcome";

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

const SECONDS = 60;

/** Counts the attempts that ended in the last minute, and how many of them failed. Uses a fixed amount of memory. */
class AttemptWindow {
  readonly #attempts = new Uint32Array(SECONDS);
  readonly #failures = new Uint32Array(SECONDS);
  /** The latest second that has a counter. */
  #second = 0;
  #attemptCount = 0;
  #failureCount = 0;

  /**
   * Counts one attempt.
   *
   * @param now - time in ms. If it is earlier than in a previous call, the time of that call is used.
   */
  add(hasFailed: boolean, now: number): void {
    this.#moveTo(now);
    const place = this.#second % SECONDS;
    this.#attempts[place] = (this.#attempts[place] ?? 0) + 1;
    this.#attemptCount += 1;
    if (!hasFailed) return;
    this.#failures[place] = (this.#failures[place] ?? 0) + 1;
    this.#failureCount += 1;
  }

  /** Returns the counts of the second that contains `now` and of the 59 seconds before it. */
  countAt(now: number): { readonly attempts: number; readonly failures: number } {
    this.#moveTo(now);
    return { attempts: this.#attemptCount, failures: this.#failureCount };
  }

  clear(): void {
    this.#attempts.fill(0);
    this.#failures.fill(0);
    this.#attemptCount = 0;
    this.#failureCount = 0;
  }

  #moveTo(now: number): void {
    const second = Math.floor(now / 1_000);
    if (second - this.#second >= SECONDS) {
      this.clear();
      this.#second = second;
    }
    while (this.#second < second) {
      this.#second += 1;
      this.#forget(this.#second % SECONDS);
    }
  }

  #forget(place: number): void {
    this.#attemptCount -= this.#attempts[place] ?? 0;
    this.#failureCount -= this.#failures[place] ?? 0;
    this.#attempts[place] = 0;
    this.#failures[place] = 0;
  }
}

/** Returns the verdict on an endpoint for the status of its response. */
export function verdictOfStatus(status: number): EndpointVerdict {
  return status === 429 || (status >= 500 && status < 600) ? "failing" : "working";
}

/**
 * Returns the verdict on an endpoint for its response. The status decides, except for a 5xx whose own error is not
 * retryable: the call ends with that error, and later calls should get the same response without delay.
 */
export function verdictOfAnswer(status: number, answer: CallAnswer): EndpointVerdict {
  const isPermanent = "failure" in answer && answer.failure.source === "handler" && !answer.failure.isRetryable;
  return status >= 500 && isPermanent ? "nothing" : verdictOfStatus(status);
}

/**
 * Returns the verdict on an endpoint for a request without a usable response.
 *
 * @param hadFullTime - whether the attempt had the full timeout of its tool; a timeout after less time proves nothing.
 */
export function verdictOfError(error: EgressError, hadFullTime: boolean): EndpointVerdict {
  if (error.answerStatus !== undefined && verdictOfStatus(error.answerStatus) === "failing") return "failing";
  switch (error.code) {
    case "NETWORK_ERROR":
    case "TLS_ERROR":
      return "failing";
    case "TIMEOUT":
      return hadFullTime ? "failing" : "nothing";
    case "DNS_BLOCKED":
      return error.isTemporary ? "failing" : "nothing";
    case "RESPONSE_TOO_LARGE":
    case "INVALID_RESPONSE":
    case "REDIRECT_REFUSED":
      return "working";
    case "CANCELLED":
    case "URL_BLOCKED":
    case "INVALID_ARGUMENTS":
      return "nothing";
  }
}
