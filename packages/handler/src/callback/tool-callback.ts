/**
 * Where to deliver the result of one call, and the token for the delivery. Plain JSON, so it can be stored in a job.
 */
export interface ToolCallback {
  readonly url: string;
  /**
   * A secret that authorises the delivery of a result. If the tool requires signatures, a signing secret is needed as
   * well.
   */
  readonly token: string;
  /** The id of the call, which the signature of the result covers. */
  readonly toolCallId: string;
  /** When the callback expires (RFC 3339). Results after this time are rejected. */
  readonly expiresAt: string;
}
