/** Options of every call. */
export interface CallOptions {
  /** Ends the waiting for an answer; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of calls that make something. */
export interface CreateOptions extends CallOptions {
  /** At most 255 characters; the same key and body make the thing once. Default: a new one. */
  readonly idempotencyKey?: string | undefined;
}
