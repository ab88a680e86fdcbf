/**
 * Discards the body of a response, so that its connection becomes free. Does not wait: if a wrapper of `fetch` has
 * cloned the response, the cancellation settles only when the clone is read or cancelled.
 */
export function discardBody({ body }: Response): void {
  body?.cancel().catch(() => {});
}
