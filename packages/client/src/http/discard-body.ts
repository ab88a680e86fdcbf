/**
 * Discards the body of a response without waiting: cancelling a body that a wrapper of `fetch` has cloned settles only
 * together with the clone.
 */
export function discardBody({ body }: Response): void {
  body?.cancel().catch(() => {});
}
