import type { CallOutcome, Claim, ClaimRequest } from "../store.ts";

/** A claim with the name of who makes it. The same one may come twice: its first answer may have been lost. */
export interface NewClaim extends ClaimRequest {
  readonly holder: string;
}

/** How a run ended. */
export interface Ending {
  readonly key: string;
  readonly holder: string;
  /** Absent when nothing was run after all. */
  readonly outcome: CallOutcome | undefined;
  /** Whether the outcome holds for good. Otherwise the call can be claimed again. */
  readonly isFinal: boolean;
}

/** What can be seen of an entry. */
export type Sight =
  | { readonly state: "running"; readonly lapsesInMs: number }
  /** Nobody is working on it; the outcome is that of the run that ended last, where there was one. */
  | { readonly state: "ended"; readonly outcome: CallOutcome | undefined };

/**
 * The entries of a store in a database: each method is one atomic step there, and all times are taken from its clock.
 * Any of them may reject; what {@link isTransient} says of the error decides whether it is worth trying again.
 */
export interface EntryTable {
  /** Makes the table unless it is there; absent where none is needed. Several processes may do so at once. */
  create?(): Promise<void>;
  /** @returns nothing when the entry has changed meanwhile: ask again. */
  claim(claim: NewClaim): Promise<Claim | undefined>;
  /** @returns whether the holder still had the entry. */
  end(ending: Ending): Promise<boolean>;
  look(key: string): Promise<Sight>;
  /** Removes the entries that expired first, at most so many. Absent where the database does so itself. */
  removeExpired?(maxEntries: number): Promise<number>;
  /** Whether the same step may succeed in a moment. */
  isTransient(error: unknown): boolean;
}
