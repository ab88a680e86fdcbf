/** Options for every call. */
export interface CallOptions {
  /** Aborting this signal stops the wait for the response: the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
