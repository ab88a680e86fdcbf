import type { SearchFailure, SearchFailureReason } from "../port.ts";

/** Time in ms for which a provider is skipped after a failure, unless the provider requests a different delay. */
const DEFAULT_MS: Readonly<Record<SearchFailureReason, number>> = {
  rate_limited: 30_000,
  quota_exhausted: 3_600_000,
  unavailable: 15_000,
  misconfigured: 60_000,
  bad_answer: 0,
  rejected: 0,
  aborted: 0,
};
/** Maximum time in ms for which a provider is skipped. Limited because a used-up quota may be topped up at any time. */
const MAX_MS = 3_600_000;

/** Why a provider is skipped, and until when. */
export interface CoolDown {
  readonly reason: SearchFailureReason;
  /** The message of the failure that caused the skip. */
  readonly message: string;
  /** ms since the epoch. */
  readonly until: number;
}

/**
 * The providers that this process currently skips. They are skipped for all workspaces, which share the operator's
 * keys.
 */
export interface CoolDowns {
  of(provider: string): CoolDown | undefined;
  failed(provider: string, failure: SearchFailure): void;
  answered(provider: string): void;
}

/** Creates the list of skipped providers, initially empty. @param now - returns ms since the epoch. */
export function createCoolDowns(now: () => number): CoolDowns {
  const kept = new Map<string, CoolDown>();
  return {
    of(provider) {
      const coolDown = kept.get(provider);
      return coolDown === undefined || coolDown.until <= now() ? undefined : coolDown;
    },
    failed(provider, { reason, message, retryAfterMs }) {
      const waitMs = Math.min(retryAfterMs ?? DEFAULT_MS[reason], MAX_MS);
      if (waitMs > 0) kept.set(provider, { reason, message, until: now() + waitMs });
    },
    answered(provider) {
      kept.delete(provider);
    },
  };
}
