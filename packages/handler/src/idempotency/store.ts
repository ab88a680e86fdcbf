/** How one attempt of a call ended: the answer to give again, before it is signed. */
export interface CallOutcome {
  /** HTTP status of the answer. */
  readonly status: number;
  /** The answer's body: JSON. */
  readonly body: string;
  /** Which attempt it was, from 1. */
  readonly attempt: number;
}

/** A request to be the one that runs a call. */
export interface ClaimRequest {
  /** The `toolCallId`. */
  readonly key: string;
  /** Stands for the tool's name and its parameters; at most 1 024 characters. */
  readonly fingerprint: string;
  /** After so many milliseconds the claim is void, so that the call of a process that died can be claimed again. */
  readonly lapsesAfterMs: number;
  /** How long the entry must be kept once nobody is working on it, in milliseconds. */
  readonly keepForMs: number;
}

/**
 * What became of a {@link ClaimRequest}:
 * - `claimed`: run the call, and report with this `holder`;
 * - `finished`: an earlier run's answer, which holds for good;
 * - `in_flight`: somebody else is running it;
 * - `conflict`: the key is known with another fingerprint, whatever has become of it.
 */
export type Claim =
  | { readonly state: "claimed"; readonly holder: string }
  | { readonly state: "finished"; readonly outcome: CallOutcome }
  | { readonly state: "in_flight" }
  | { readonly state: "conflict" };

/**
 * Remembers calls by their id, so that each runs once however often it arrives. One store serves one tenant: in a
 * shared one, another tenant's secret could fetch an answer.
 *
 * A store that several processes share measures every duration on its own clock, and gives each claim a `holder` of its
 * own, so that a process whose claim has lapsed can no longer change the entry.
 */
export interface IdempotencyStore {
  /** Claims a call, atomically: of any number of claims at once, one is `claimed`. */
  claim(request: ClaimRequest): Promise<Claim>;

  /**
   * Ends a run for good: every later claim is `finished` with this outcome. Does nothing when someone else has claimed
   * the key since. It may follow a {@link release} by the same holder: a run that outlived its time and then succeeded.
   */
  complete(key: string, holder: string, outcome: CallOutcome): Promise<void>;

  /**
   * Ends a run so that the call can be claimed again; the fingerprint is kept. The outcome is for those who wait now.
   * Does nothing when someone else has claimed the key since.
   */
  release(key: string, holder: string, outcome: CallOutcome): Promise<void>;

  /**
   * Waits until the key is no longer in flight (completed, released or lapsed), or the signal aborts.
   *
   * @returns the outcome of the run that ended, or `undefined` where the store cannot tell: the caller claims again.
   */
  wait(key: string, signal: AbortSignal): Promise<CallOutcome | undefined>;
}
