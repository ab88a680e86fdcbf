import type { SearchFailure, SearchFailureReason } from "../port.ts";

/** How long a provider is skipped after a failure, unless it specifies a delay itself. */
const DEFAULT_MS: Readonly<Record<SearchFailureReason, number>> = {
  rate_limited: 30_000,
  quota_exhausted: 3_600_000,
  unavailable: 15_000,
  misconfigured: 60_000,
  bad_answer: 0,
  rejected: 0,
  aborted: 0,
};
/** A quota may be topped up at any time. */
const MAX_MS = 3_600_000;

/** Why a provider is skipped, and until when. */
export interface CoolDown {
  readonly reason: SearchFailureReason;
  /** The failure message. */
  readonly message: string;
  /** ms since the epoch. */
  readonly until: number;
}

/**
 * Providers that are currently skipped: in this process, for all workspaces, because they share the operator's keys.
 */
export interface CoolDowns {
  of(provider: string): CoolDown | undefined;
  failed(provider: string, failure: SearchFailure): void;
  answered(provider: string): void;
}

/** @param now - ms since the epoch. */
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
