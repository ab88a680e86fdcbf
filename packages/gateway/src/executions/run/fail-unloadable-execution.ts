import { type ExecutionEvent, hasEnded, type YagateError } from "@yagate/protocol";
import { appendTo } from "@yagate/store/events/append-to";
import type { AppendOutcome, EventStore, ExecutionRow } from "@yagate/store/port";
import { retryWhileUnavailable } from "../service/retry-while-unavailable.ts";

export interface FailUnloadableOptions {
  readonly eventStore: Pick<EventStore, "find" | "append">;
  /** Current time in ms since the epoch. */
  readonly now: () => number;
  /** Aborted when another owner should end the execution. */
  readonly signal: AbortSignal;
  /** Why the execution fails; default: because of an internal error. */
  readonly error?: Pick<YagateError, "code" | "message"> | undefined;
  /** Called each time the store is unavailable. */
  readonly onRefusal: (error: unknown) => void;
}

const INTERNAL = { code: "INTERNAL", message: "the execution failed because of an internal error" } as const;

/**
 * Ends an execution that can't be advanced because of an internal error, such as a log that can't be folded. It reads
 * only the execution's row, so that a broken log can't keep the execution alive forever. For the same reason it retries
 * until the failure is recorded, or until the execution has ended or has another owner.
 */
export async function failUnloadableExecution(execution: ExecutionRow, options: FailUnloadableOptions): Promise<void> {
  const { signal, onRefusal } = options;
  for (;;) {
    const outcome = await retryWhileUnavailable(() => appendFailure(execution, options), {
      signal: () => signal,
      onRefusal,
    });
    // A command was appended first, so try again.
    if (outcome !== "behind" || signal.aborted) return;
  }
}

/** Appends the failure; returns undefined if there is nothing left to end. */
async function appendFailure(
  { id, workspaceId, epoch }: ExecutionRow,
  { eventStore, now, error: reason = INTERNAL }: FailUnloadableOptions,
): Promise<AppendOutcome | undefined> {
  const row = await eventStore.find(id, workspaceId);
  if (row === undefined || hasEnded(row.status) || row.epoch !== epoch) return undefined;
  const error = { code: reason.code, message: reason.message };
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
  return appendTo(eventStore, {
    executionId: id,
    expectedSeq: lastSeq,
    epoch,
    entries: [{ event }],
    summary: { status: "failed", stopReason: "error", output: null, error, usage, cost, startedAt, finishedAt: at },
  });
}
