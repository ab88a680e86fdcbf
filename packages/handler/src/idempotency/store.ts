/** The outcome of one attempt of a call: the response, before it is signed. */
export interface CallOutcome {
  /** The HTTP status of the response. */
  readonly status: number;
  /** The body of the response: JSON. */
  readonly body: string;
  /** The number of the attempt, starting at 1. */
  readonly attempt: number;
}

/** A request for the right to run a call. */
export interface ClaimRequest {
  /** The `toolCallId`. */
  readonly key: string;
  /** Identifies the tool's name and the arguments; at most 1,024 characters. */
  readonly fingerprint: string;
  /** The time in ms after which the claim lapses, so that the call can be claimed again if the process dies. */
  readonly lapsesAfterMs: number;
  /** How long to keep the entry after the run has ended, in ms. */
  readonly keepForMs: number;
}

/**
 * The result of a {@link ClaimRequest}:
 * - `claimed`: run the call, and report its end with this `holder`;
 * - `finished`: the call has a final response, from an earlier run;
 * - `in_flight`: another process or request is running the call;
 * - `conflict`: the key exists with another fingerprint, whatever its state.
 */
export type Claim =
  | { readonly state: "claimed"; readonly holder: string }
  | { readonly state: "finished"; readonly outcome: CallOutcome }
  | { readonly state: "in_flight" }
  | { readonly state: "conflict" };

/**
 * Remembers calls by their ids, so that each call runs only once, however often it arrives. Use one store per tenant:
 * in a store that tenants share, a tenant could fetch another tenant's response with its own secret.
 *
 * A store that several processes share measures all durations by its own clock. It gives each claim a unique `holder`,
 * so that a process whose claim has lapsed can no longer change the entry.
 */
export interface IdempotencyStore {
  /** Claims a call atomically: of several concurrent claims, exactly one is `claimed`. */
  claim(request: ClaimRequest): Promise<Claim>;

  /**
   * Ends a run permanently: every later claim is `finished` and returns this outcome. Has no effect if the key has been
   * claimed again in the meantime. May follow a {@link release} by the same holder, if the run succeeded after its
   * deadline.
   */
  complete(key: string, holder: string, outcome: CallOutcome): Promise<void>;

  /**
   * Ends a run so that the call can be claimed again, and keeps the fingerprint. Code that is already waiting gets the
   * outcome. Has no effect if the key has been claimed again in the meantime.
   */
  release(key: string, holder: string, outcome: CallOutcome): Promise<void>;

  /**
   * Waits until the call is no longer running (it was completed or released, or its claim lapsed), or until the signal
   * is aborted.
   *
   * @returns the outcome of the run that ended, or `undefined` if the store does not have it. If it is `undefined`,
   *   claim the call again.
   */
  wait(key: string, signal: AbortSignal): Promise<CallOutcome | undefined>;
}
