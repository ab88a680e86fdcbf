import { type ExecutionEvent, hasEnded } from "@yagate/protocol";
import type { AppendOutcome, EventStore, ExecutionRow } from "@yagate/store/port";
import { retryWhileUnavailable } from "../service/retry-while-unavailable.ts";

export interface FailDefectiveOptions {
  readonly eventStore: Pick<EventStore, "find" | "append">;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Aborted when somebody else is to end it. */
  readonly signal: AbortSignal;
  /** The journal refuses for a while. */
  readonly onRefusal: (error: unknown) => void;
}

/**
 * Ends an execution that can't be advanced because of a defect, such as a log that does not fold. It reads the row
 * only: whatever is wrong with the log must not keep it from ending, or it would wait for ever under a living lease.
 * For the same reason it goes on until that is written down, or the execution has ended or has another owner.
 */
export async function failUnloadableExecution(execution: ExecutionRow, options: FailDefectiveOptions): Promise<void> {
  const { signal, onRefusal } = options;
  for (;;) {
    const outcome = await retryWhileUnavailable(() => appendFailure(execution, options), { signal, onRefusal });
    // A command came in first, and the failure follows it.
    if (outcome !== "behind" || signal.aborted) return;
  }
}

/** Undefined: there is nothing to end any more. */
async function appendFailure(
  { id, workspaceId, epoch }: ExecutionRow,
  { eventStore, now }: FailDefectiveOptions,
): Promise<AppendOutcome | undefined> {
  const row = await eventStore.find(id, workspaceId);
  if (row === undefined || hasEnded(row.status) || row.epoch !== epoch) return undefined;
  const error = { code: "INTERNAL", message: "the execution could not go on for a reason inside the gateway" };
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
