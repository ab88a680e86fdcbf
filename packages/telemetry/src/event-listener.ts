import type { ExecutionEvent } from "@yagate/protocol";

/** The events that became durable in one append. */
interface DurableAppend {
  readonly executionId: string;
  readonly entries: readonly { readonly event: ExecutionEvent }[];
}

/**
 * Passes every durable event to a listener.
 *
 * @param onError - called with an exception of the listener. The events were already stored, so the execution continues.
 */
export function createEventListener(
  listener: (event: ExecutionEvent) => void,
  onError: (error: unknown, executionId: string) => void,
): { onAppended(append: DurableAppend): void } {
  return {
    onAppended({ executionId, entries }) {
      for (const { event } of entries) {
        try {
          listener(event);
        } catch (error) {
          onError(error, executionId);
        }
      }
    },
  };
}
