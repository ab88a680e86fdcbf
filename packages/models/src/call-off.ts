/** A stream, or its reader. */
interface Cancellable {
  cancel(reason?: unknown): Promise<void>;
}

/**
 * Says that the rest of an answer is not wanted. Waits for nothing: where a wrapper of `fetch` has cloned the answer,
 * the cancellation settles only when the clone is read or cancelled, too.
 */
export function callOff(answer: Cancellable, reason?: unknown): void {
  answer.cancel(reason).catch(() => {});
}
