import type { EpochMs } from "../epoch-ms.ts";

/** One day in ms; settings are in days. */
export const DAY_MS = 86_400_000;

/** Default retention of the messages of attempts: 7 days. */
export const DEFAULT_EXCHANGE_RETENTION_MS = 604_800_000;

/** Retention of unused endpoints: 30 days. A disabled endpoint is kept until it is enabled. */
export const UNUSED_ENDPOINT_MS = 2_592_000_000;

/**
 * Ended executions are kept this much longer than configured, because an idempotency key refers to its execution for 24
 * hours by the clock of any replica.
 */
export const CLOCK_MARGIN_MS = 60_000;

/** An old execution that could not be deleted. */
export interface DeletionFailure {
  readonly executionId: string;
  readonly error: unknown;
}

/** Deletes old executions. */
export interface RetentionStore {
  /**
   * Claims the deletion for this replica until a given time, or extends the claim. Returns false while another replica
   * holds the claim. Always true for a store with one process.
   */
  claim(claim: { readonly owner: string; readonly now: EpochMs; readonly until: EpochMs }): Promise<boolean>;
  /**
   * Reads up to `limit` executions with ids after `afterId` (empty: from the first), and deletes those that ended
   * before `endedBefore`, with all their rows, in one commit. Unfinished executions are kept. An execution that cannot
   * be deleted is kept and does not prevent others from being deleted.
   *
   * @returns the number of deleted executions, the failures, and where to continue; `nextAfterId` is undefined at the
   *   end.
   */
  deleteEnded(batch: { readonly endedBefore: EpochMs; readonly afterId: string; readonly limit: number }): Promise<{
    readonly deleted: number;
    readonly failures: readonly DeletionFailure[];
    readonly nextAfterId: string | undefined;
  }>;
}
