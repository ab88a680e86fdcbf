/**
 * Lets go of the body of an answer that is not read. Waits for nothing: the cancellation of a body that a wrapper of
 * `fetch` has cloned settles only together with the clone's.
 */
export function discardBody({ body }: Response): void {
  body?.cancel().catch(() => {});
}
