/** A stream or its reader. */
interface Cancellable {
  cancel(reason?: unknown): Promise<void>;
}

/**
 * Cancels the rest of a response without waiting. If a wrapper of `fetch` has cloned the response, the cancellation
 * settles only when the clone is read or cancelled as well.
 */
export function callOff(answer: Cancellable, reason?: unknown): void {
  answer.cancel(reason).catch(() => {});
}
