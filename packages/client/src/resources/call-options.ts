/** Options of every call. */
export interface CallOptions {
  /** Ends the waiting for an answer; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
