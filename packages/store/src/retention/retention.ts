import type { EpochMs } from "../epoch-ms.ts";

/** One day in ms. */
export const DAY_MS = 86_400_000;

/** Default retention of the requests and responses of attempts: 7 days. */
export const DEFAULT_EXCHANGE_RETENTION_MS = 604_800_000;

/** How long an unused endpoint is kept: 30 days. A disabled endpoint is kept until it is enabled. */
export const UNUSED_ENDPOINT_MS = 2_592_000_000;

/**
 * Ended executions are kept this much longer than configured, because an idempotency key refers to its execution for 24
 * hours, and the clocks of replicas may differ.
 */
export const CLOCK_MARGIN_MS = 60_000;

/** An expired execution that could not be deleted. */
export interface DeletionFailure {
  readonly executionId: string;
  readonly error: unknown;
}

/** Deletes old executions. */
export interface RetentionStore {
  /**
   * Claims the deletion for this replica until a given time, or extends the claim. Returns false while another replica
   * has the claim. Always returns true for a store that only one process uses.
   */
  claim(claim: { readonly owner: string; readonly now: EpochMs; readonly until: EpochMs }): Promise<boolean>;
  /**
   * Reads up to `limit` executions with ids after `afterId` (empty: from the first), and deletes those that ended
   * before `endedBefore`, with all their rows, in one commit. Keeps unfinished executions. If an execution cannot be
   * deleted, the others are still deleted.
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
