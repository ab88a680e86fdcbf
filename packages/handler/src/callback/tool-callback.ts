/**
 * Where to deliver the result of one call, with the token for the delivery. Plain JSON, so it can be stored in a job.
 */
export interface ToolCallback {
  readonly url: string;
  /** A secret: with it, a result can be delivered. If the tool requires signatures, a signing secret is needed too. */
  readonly token: string;
  /** The id of the call, which the signature of the result covers. */
  readonly toolCallId: string;
  /** When the callback expires (RFC 3339). Results after this time are rejected. */
  readonly expiresAt: string;
}
