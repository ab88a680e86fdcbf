/**
 * Lets go of an answer's body, so that its connection becomes free. Waits for nothing: where a wrapper of `fetch` has
 * cloned the answer, the cancellation settles only when the clone is read or cancelled, too.
 */
export function discardBody({ body }: Response): void {
  body?.cancel().catch(() => {});
}
