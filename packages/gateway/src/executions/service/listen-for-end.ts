import { FINAL_EVENT_TYPES } from "@yagate/protocol";
import type { EventStore, ExecutionSummary } from "@yagate/store/port";

/** Somebody who waits for the end of an execution, and for nothing before it. */
export interface EndListener {
  /** How it ended; undefined when the time was over or the reader had gone before it did. */
  readonly summary: Promise<ExecutionSummary | undefined>;
  stop(): void;
}

/** Listens from now on; what was appended before is not heard. @param waitMs - 0 or more. */
export function listenForEnd(
  eventStore: Pick<EventStore, "subscribe">,
  executionId: string,
  waitMs: number,
  signal: AbortSignal,
): EndListener {
  let stop = () => {};
  const summary = new Promise<ExecutionSummary | undefined>((resolve) => {
    const giveUp = () => resolve(undefined);
    const timer = setTimeout(giveUp, waitMs);
    signal.addEventListener("abort", giveUp);
    if (signal.aborted) giveUp();
    const unsubscribe = eventStore.subscribe(executionId, (entries, summaryNow) => {
      if (FINAL_EVENT_TYPES.has(entries.at(-1)?.event.type ?? "")) resolve(summaryNow);
    });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      unsubscribe();
    };
  });
  return { summary, stop };
}
