import { type ExecutionEvent, hasEnded } from "@yagate/protocol";
import type { ExecutionJournal, ExecutionRow } from "../journal/port.ts";

/**
 * Ends an execution that can't be advanced because of a defect, such as a log that does not fold. It reads the row
 * only: whatever is wrong with the log must not keep it from ending, or it would wait for ever under a living lease.
 */
export async function failDefective(
  journal: Pick<ExecutionJournal, "find" | "append">,
  { id, workspaceId, epoch }: ExecutionRow,
  now: number,
): Promise<void> {
  const row = await journal.find(id, workspaceId);
  if (row === undefined || hasEnded(row.status) || row.epoch !== epoch) return;
  const error = { code: "INTERNAL", message: "the execution could not go on for a reason inside the gateway" };
  const { usage, cost, startedAt, lastSeq } = row;
  const event: ExecutionEvent = {
    type: "execution.failed",
    seq: lastSeq + 1,
    at: new Date(now).toISOString(),
    executionId: id,
    error,
    usage,
    cost,
  };
  await journal.append({
    executionId: id,
    expectedSeq: lastSeq,
    epoch,
    entries: [{ event }],
    summary: { status: "failed", stopReason: "error", output: null, error, usage, cost, startedAt, finishedAt: now },
  });
}
