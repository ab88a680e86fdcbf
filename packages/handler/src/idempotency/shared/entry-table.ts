import type { CallOutcome, Claim, ClaimRequest } from "../store.ts";

/** A claim and its holder. The same claim may arrive twice, because the response to the first may have been lost. */
export interface NewClaim extends ClaimRequest {
  readonly holder: string;
}

/** How a run ended. */
export interface Ending {
  readonly key: string;
  readonly holder: string;
  /** Absent if nothing ran. */
  readonly outcome: CallOutcome | undefined;
  /** Whether the outcome is final. Otherwise the call can be claimed again. */
  readonly isFinal: boolean;
}

/** The visible state of an entry. */
export type Sight =
  | { readonly state: "running"; readonly lapsesInMs: number }
  /** No run is working on it. The outcome is that of the last run, if there was one. */
  | { readonly state: "ended"; readonly outcome: CallOutcome | undefined };

/**
 * The entries of a store in a database. Each method is one atomic step there, timed by the database's clock. Every
 * method may reject; {@link isTransient} decides whether to retry.
 */
export interface EntryTable {
  /** Creates the table if it is missing; absent if none is needed. Safe for several processes at once. */
  create?(): Promise<void>;
  /** @returns nothing if the entry has changed meanwhile: claim again. */
  claim(claim: NewClaim): Promise<Claim | undefined>;
  /** @returns whether the holder still had the entry. */
  end(ending: Ending): Promise<boolean>;
  look(key: string): Promise<Sight>;
  /** Removes at most `maxEntries` expired entries, oldest expiry first. Absent if the database removes them itself. */
  removeExpired?(maxEntries: number): Promise<number>;
  /** Whether the same step may soon succeed. */
  isTransient(error: unknown): boolean;
}
