import { FINAL_EVENT_TYPES, hasEnded } from "@yagate/protocol";
import type { ExecutionJournal, ExecutionRow } from "../journal/port.ts";

/**
 * The execution's row once it has ended, or as it is when the time is over or the reader has gone.
 *
 * @param waitMs - 0 or more.
 */
export async function rowAtEnd(
  journal: ExecutionJournal,
  executionId: string,
  read: () => Promise<ExecutionRow>,
  waitMs: number,
  signal: AbortSignal,
): Promise<ExecutionRow> {
  let stop = () => {};
  // Subscribed first, read second, so that an end in between is not missed.
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    const onAbort = () => resolve();
    signal.addEventListener("abort", onAbort);
    const unsubscribe = journal.subscribe(executionId, (entries) => {
      if (entries.some(({ event }) => FINAL_EVENT_TYPES.has(event.type))) resolve();
    });
    stop = () => {
      clearTimeout(timer);
      unsubscribe();
      signal.removeEventListener("abort", onAbort);
    };
  });
  try {
    const row = await read();
    if (hasEnded(row.status) || signal.aborted) return row;
    await over;
    return await read();
  } finally {
    stop();
  }
}
