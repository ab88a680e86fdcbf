import type { EpochMs } from "../epoch-ms.ts";

/** Settings are in days. */
export const DAY_MS = 86_400_000;

/** How long the messages of attempts are kept unless configured otherwise: 7 days. */
export const DEFAULT_EXCHANGE_RETENTION_MS = 604_800_000;

/** How long an endpoint is listed that nothing is sent to. One that is disabled stays until somebody enables it. */
export const UNUSED_ENDPOINT_MS = 2_592_000_000;

/**
 * Ended executions stay this much longer than configured: an idempotency key names its execution for 24 hours, by the
 * clock of whichever replica is asked.
 */
export const CLOCK_MARGIN_MS = 60_000;

/** An execution that is old enough and could not be deleted. */
export interface DeletionFailure {
  readonly executionId: string;
  readonly error: unknown;
}

/** Deletes executions for their age. */
export interface RetentionStore {
  /**
   * Takes the deleting upon this replica until a moment, or extends that. False while another replica has it. A process
   * that is alone always gets it.
   */
  claim(claim: { readonly owner: string; readonly now: EpochMs; readonly until: EpochMs }): Promise<boolean>;
  /**
   * Looks at up to `limit` executions with ids after `afterId` (empty: from the first one on), and deletes those that
   * ended before a moment: their events, calls, exchanges and all else that is theirs, in one commit. Unfinished ones
   * stay, however old they are. One that can't be deleted stays too, and keeps no other one.
   *
   * @returns how many went, which could not, and where to go on; `nextAfterId` is undefined when there is nothing left
   * to look at.
   */
  deleteEnded(batch: { readonly endedBefore: EpochMs; readonly afterId: string; readonly limit: number }): Promise<{
    readonly deleted: number;
    readonly failures: readonly DeletionFailure[];
    readonly nextAfterId: string | undefined;
  }>;
}
