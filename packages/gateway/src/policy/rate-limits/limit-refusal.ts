/** The reason why a call may not be sent now, as a failure of the gateway. */
export interface LimitRefusal {
  readonly code: "RATE_LIMITED";
  /** States, for the model, which limit is used up and when to try again. */
  readonly message: string;
  readonly hint: string;
  readonly source: "gateway";
  readonly isRetryable: boolean;
  readonly outcome: "none";
  readonly retryAfterMs?: number;
}

/**
 * Creates the refusal for a limit per minute that is used up.
 * @param what - the source of the limit, such as `the integration shop`.
 */
export function minuteRefusal(what: string, limit: number, retryAfterMs: number): LimitRefusal {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return {
    code: "RATE_LIMITED",
    message: `${what} allows at most ${calls(limit)} per minute, and they are used up; try again in ${seconds} s`,
    hint: "wait that long, or reply with what you know",
    source: "gateway",
    isRetryable: true,
    outcome: "none",
    retryAfterMs,
  };
}

/**
 * Creates the refusal for a limit per execution that is used up.
 * @param what - the source of the limit, as in `minuteRefusal`.
 */
export function executionRefusal(what: string, limit: number): LimitRefusal {
  return {
    code: "RATE_LIMITED",
    message: `${what} allows at most ${calls(limit)} per execution, and they are used up; trying again will not help`,
    hint: "reply with what you know",
    source: "gateway",
    isRetryable: false,
    outcome: "none",
  };
}

function calls(count: number): string {
  return count === 1 ? "1 request" : `${count} requests`;
}
