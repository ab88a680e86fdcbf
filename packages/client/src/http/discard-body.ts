/**
 * Discards the body of a response without waiting for it to close: a body that a wrapper of `fetch` has cloned closes
 * only together with the clone.
 */
export function discardBody({ body }: Response): void {
  body?.cancel().catch(() => {});
}
