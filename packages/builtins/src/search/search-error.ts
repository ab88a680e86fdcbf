import type { ProviderAttempt } from "./asking/ask-providers.ts";
import type { SearchFailureReason } from "./port.ts";

/** No provider could be asked, or none responded. */
export class SearchError extends Error {
  override readonly name = "SearchError";
  readonly attempts: readonly ProviderAttempt[];

  constructor(attempts: readonly ProviderAttempt[]) {
    super(attempts.map(({ message }) => message).join("; "));
    this.attempts = attempts;
  }

  /** The common cause of all failures, or the one most likely to pass. */
  get reason(): SearchFailureReason | "none" {
    const reasons = new Set(this.attempts.map(({ reason }) => reason));
    const order = [
      "unavailable",
      "bad_answer",
      "rate_limited",
      "quota_exhausted",
      "rejected",
      "misconfigured",
    ] as const;
    return order.find((reason) => reasons.has(reason)) ?? "none";
  }

  /** Time until the first provider can be asked again, in ms. */
  get retryAfterMs(): number | undefined {
    const waits = this.attempts.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
    return waits.length === 0 ? undefined : Math.min(...waits);
  }
}
