/** Where the result of one call is to be sent, and what opens it. JSON throughout, so that a job can carry it. */
export interface ToolCallback {
  readonly url: string;
  /** A secret: whoever has it, and a signing secret where the tool requires signatures, can answer the call. */
  readonly token: string;
  /** Which call it is; the signature of the result names it. */
  readonly toolCallId: string;
  /** RFC 3339. From then on the result is refused. */
  readonly expiresAt: string;
}
