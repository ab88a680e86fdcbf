import type { CallOutcome, Claim, ClaimRequest } from "../store.ts";

/** A claim and its holder. The same claim may arrive twice if the response to the first one was lost. */
export interface NewClaim extends ClaimRequest {
  readonly holder: string;
}

/** How a run ended. */
export interface Ending {
  readonly key: string;
  readonly holder: string;
  /** Absent if the tool did not run. */
  readonly outcome: CallOutcome | undefined;
  /** Whether the outcome is final. If it is not, the call can be claimed again. */
  readonly isFinal: boolean;
}

/** The visible state of an entry. */
export type Sight =
  | { readonly state: "running"; readonly lapsesInMs: number }
  /** The call is not running. `outcome` is the outcome of the last run, if known. */
  | { readonly state: "ended"; readonly outcome: CallOutcome | undefined };

/**
 * The entries of a store in a database. Each method is one atomic operation in the database, and durations are measured
 * by the database's clock. All methods may reject; {@link isTransient} decides whether to retry.
 */
export interface EntryTable {
  /**
   * Creates the table if it does not exist. Several processes may do this at the same time. Absent if no table is
   * needed.
   */
  create?(): Promise<void>;
  /** @returns undefined if the entry was changed during the claim; repeat the claim in this case. */
  claim(claim: NewClaim): Promise<Claim | undefined>;
  /** @returns whether the holder still had the entry. */
  end(ending: Ending): Promise<boolean>;
  look(key: string): Promise<Sight>;
  /** Removes at most `maxEntries` expired entries, oldest expiry first. Absent if the database removes them itself. */
  removeExpired?(maxEntries: number): Promise<number>;
  /** Checks whether the same operation may succeed soon, after this error. */
  isTransient(error: unknown): boolean;
}
