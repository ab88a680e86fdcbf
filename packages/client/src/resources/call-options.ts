/** Options of every call. */
export interface CallOptions {
  /** Stops waiting for the response. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
