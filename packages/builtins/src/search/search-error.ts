import type { ProviderAttempt } from "./asking/ask-providers.ts";
import type { SearchFailureReason } from "./port.ts";

/** Thrown for a search if no provider could be asked or none responded. */
export class SearchError extends Error {
  override readonly name = "SearchError";
  readonly attempts: readonly ProviderAttempt[];

  constructor(attempts: readonly ProviderAttempt[]) {
    super(attempts.map(({ message }) => message).join("; "));
    this.attempts = attempts;
  }

  /** The reason for the failures. If they differ, the most temporary one; `none` if no provider was asked. */
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

  /** Time in ms until any provider can be asked again. */
  get retryAfterMs(): number | undefined {
    const waits = this.attempts.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
    return waits.length === 0 ? undefined : Math.min(...waits);
  }
}
