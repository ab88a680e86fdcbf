/** Where to deliver the result of one call, and the token for it. Plain JSON, so that a job can carry it. */
export interface ToolCallback {
  readonly url: string;
  /** A secret: together with a signing secret, if the tool requires signatures, it is enough to deliver a result. */
  readonly token: string;
  /** The id of the call. The signature of the result contains it. */
  readonly toolCallId: string;
  /** When the callback expires (RFC 3339). Later results are rejected. */
  readonly expiresAt: string;
}
