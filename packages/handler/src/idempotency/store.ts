/** The end of one attempt of a call: the response to repeat, before it is signed. */
export interface CallOutcome {
  /** HTTP status of the response. */
  readonly status: number;
  /** The body of the response: JSON. */
  readonly body: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
}

/** A request for the right to run a call. */
export interface ClaimRequest {
  /** The `toolCallId`. */
  readonly key: string;
  /** Identifies the tool's name and its parameters; at most 1 024 characters. */
  readonly fingerprint: string;
  /** The claim lapses after this many ms, so that the call of a dead process can be claimed again. */
  readonly lapsesAfterMs: number;
  /** How long to keep the entry after its run has ended, in ms. */
  readonly keepForMs: number;
}

/**
 * The result of a {@link ClaimRequest}:
 * - `claimed`: run the call, and report with this `holder`;
 * - `finished`: the response of an earlier run, which is final;
 * - `in_flight`: another process or request is running it;
 * - `conflict`: the key exists with another fingerprint, whatever its state.
 */
export type Claim =
  | { readonly state: "claimed"; readonly holder: string }
  | { readonly state: "finished"; readonly outcome: CallOutcome }
  | { readonly state: "in_flight" }
  | { readonly state: "conflict" };

/**
 * Remembers calls by their id, so that each runs once however often it arrives. One store serves one tenant: in a
 * shared store, another tenant's secret could fetch a response.
 *
 * A store that several processes share measures every duration on its own clock. It gives each claim its own `holder`,
 * so that a process whose claim has lapsed can no longer change the entry.
 */
export interface IdempotencyStore {
  /** Claims a call atomically: of concurrent claims, exactly one is `claimed`. */
  claim(request: ClaimRequest): Promise<Claim>;

  /**
   * Ends a run permanently: every later claim is `finished` with this outcome. No effect if the key has been claimed
   * again since. May follow a {@link release} by the same holder, for a run that succeeded after its time.
   */
  complete(key: string, holder: string, outcome: CallOutcome): Promise<void>;

  /**
   * Ends a run so that the call can be claimed again; keeps the fingerprint. Current waiters get the outcome. No effect
   * if the key has been claimed again since.
   */
  release(key: string, holder: string, outcome: CallOutcome): Promise<void>;

  /**
   * Waits until the key is no longer in flight (completed, released or lapsed), or the signal aborts.
   *
   * @returns the outcome of the run that ended, or `undefined` if the store does not know it: the caller claims again.
   */
  wait(key: string, signal: AbortSignal): Promise<CallOutcome | undefined>;
}
