/**
 * Discards the body of a response, so that its connection can be reused. Does not wait for the cancellation: if a
 * wrapper of `fetch` has cloned the response, it settles only when the clone is read or cancelled.
 */
export function discardBody({ body }: Response): void {
  body?.cancel().catch(() => {});
}
