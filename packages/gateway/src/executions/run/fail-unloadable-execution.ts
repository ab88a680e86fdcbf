import { type ExecutionEvent, hasEnded } from "@yagate/protocol";
import type { AppendOutcome, EventStore, ExecutionRow } from "@yagate/store/port";
import { retryWhileUnavailable } from "../service/retry-while-unavailable.ts";

export interface FailUnloadableOptions {
  readonly eventStore: Pick<EventStore, "find" | "append">;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Aborted when another owner should end it. */
  readonly signal: AbortSignal;
  /** Called each time that the store is unavailable. */
  readonly onRefusal: (error: unknown) => void;
}

/**
 * Ends an execution that can't be advanced because of a defect, such as a log that does not fold. It reads only the row, so
 * that a broken log can't keep the execution alive for ever. For the same reason it retries until the failure is
 * recorded, or the execution has ended or has another owner.
 */
export async function failUnloadableExecution(execution: ExecutionRow, options: FailUnloadableOptions): Promise<void> {
  const { signal, onRefusal } = options;
  for (;;) {
    const outcome = await retryWhileUnavailable(() => appendFailure(execution, options), { signal, onRefusal });
    // A command was appended first: try again after it.
    if (outcome !== "behind" || signal.aborted) return;
  }
}

/** Undefined: there is nothing left to end. */
async function appendFailure(
  { id, workspaceId, epoch }: ExecutionRow,
  { eventStore, now }: FailUnloadableOptions,
): Promise<AppendOutcome | undefined> {
  const row = await eventStore.find(id, workspaceId);
  if (row === undefined || hasEnded(row.status) || row.epoch !== epoch) return undefined;
  const error = { code: "INTERNAL", message: "the execution failed because of an internal error" };
  const { usage, cost, startedAt, lastSeq } = row;
  const at = now();
  const event: ExecutionEvent = {
    type: "execution.failed",
    seq: lastSeq + 1,
    at: new Date(at).toISOString(),
    executionId: id,
    error,
    usage,
    cost,
  };
  return eventStore.append({
    executionId: id,
    expectedSeq: lastSeq,
    epoch,
    entries: [{ event }],
    summary: { status: "failed", stopReason: "error", output: null, error, usage, cost, startedAt, finishedAt: at },
  });
}
