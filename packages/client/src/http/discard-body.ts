/**
 * Discards the body of a response without waiting until the body is closed: if a wrapper of `fetch` has cloned the
 * response, its body closes only together with the clone.
 */
export function discardBody({ body }: Response): void {
  body?.cancel().catch(() => {});
}
