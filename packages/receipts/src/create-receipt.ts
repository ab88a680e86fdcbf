import type { Yielder } from "@yagate/lib/async/event-loop";
import {
  type ExecutionEvent,
  executionEventSchema,
  RECEIPT_FORMAT,
  type Receipt,
  type RecordSubject,
} from "@yagate/protocol";
import type { ExecutionRow } from "@yagate/store/port";
import type { CheckedRecord, ReadEntry } from "./check-record.ts";
import { describeRecord } from "./narrative/describe-record.ts";
import { type ChainedRecord, toReceiptRecord } from "./receipt-chain.ts";

type End = Extract<ExecutionEvent, { type: "execution.completed" | "execution.failed" | "execution.cancelled" }>;

/** A receipt without a signature, and the record texts of its events. */
export interface UnsignedReceipt extends Pick<ChainedRecord, "eventTexts"> {
  readonly receipt: Receipt;
}

/** Creates the receipt of a checked record. */
export async function createReceipt(
  subject: RecordSubject,
  row: Pick<ExecutionRow, "status">,
  checked: CheckedRecord,
  yieldNow: Yielder,
): Promise<UnsignedReceipt> {
  const { entries, difference, hasEnded } = checked;
  const { lines, calls, models } = await describeRecord(entries, subject.keyId, yieldNow);
  const end = endOf(entries);
  const { record, eventTexts } = await toReceiptRecord(subject, entries, yieldNow);
  const receipt: Receipt = {
    format: RECEIPT_FORMAT,
    executionId: subject.executionId,
    workspaceId: subject.workspaceId,
    verified: difference === null,
    isFinal: difference === null && hasEnded,
    difference,
    agent: { id: subject.agentId, version: subject.agentVersion, models: [...models] },
    keyId: subject.keyId,
    ...outcomeOf(end, row),
    createdAt: subject.createdAt,
    toolCalls: [...calls],
    account: [...lines],
    record,
    signature: null,
  };
  return { receipt, eventTexts };
}

/** Reads the outcome from the record, because the outcome in lists is not sealed. */
function outcomeOf(end: End | undefined, row: Pick<ExecutionRow, "status">) {
  if (end === undefined) return { status: row.status, stopReason: null, finishedAt: null, usage: null, cost: null };
  const { at: finishedAt, usage, cost } = end;
  switch (end.type) {
    case "execution.completed":
      return { status: "completed", stopReason: end.stopReason, finishedAt, usage, cost } as const;
    case "execution.failed":
      return { status: "failed", stopReason: "error", finishedAt, usage, cost } as const;
    case "execution.cancelled":
      return { status: "cancelled", stopReason: "cancelled", finishedAt, usage, cost } as const;
  }
}

function endOf(entries: readonly ReadEntry[]): End | undefined {
  const event = executionEventSchema.safeParse(entries.at(-1)?.event).data;
  switch (event?.type) {
    case "execution.completed":
    case "execution.failed":
    case "execution.cancelled":
      return event;
    default:
      return undefined;
  }
}
