import { hash } from "node:crypto";
import type { Yielder } from "@yagate/lib/async/event-loop";
import { defined } from "@yagate/lib/objects/defined";
import { entryText, linkText, type ReceiptRecord, type RecordSubject, recordText, subjectText } from "@yagate/protocol";
import type { ReadEntry } from "./check-record.ts";
import type { ChainStart } from "./stored-chain.ts";

/** Returns the SHA-256 of a record text, in the form in which subjects, entries and signatures contain it. */
export function textHash(text: string): string {
  return `sha256:${hash("sha256", text, "hex")}`;
}

/** Creates the subject of a receipt's record. */
export function toRecordSubject({ subject, request }: ChainStart, agentHash: string): RecordSubject {
  const { executionId, workspaceId, agentId, agentVersion, startedByKeyId, createdAt } = subject;
  return {
    executionId,
    workspaceId,
    agentId,
    agentVersion,
    agentHash,
    keyId: startedByKeyId,
    createdAt: new Date(createdAt).toISOString(),
    requestHash: textHash(recordText(request)),
  };
}

/** The record of a receipt, and the record texts of its events. */
export interface ChainedRecord {
  readonly record: ReceiptRecord;
  readonly eventTexts: ReadonlyMap<unknown, string>;
}

/** Creates the record of a receipt, whose chain can be recomputed from the receipt alone. */
export async function toReceiptRecord(
  subject: RecordSubject,
  entries: readonly ReadEntry[],
  yieldNow: Yielder,
): Promise<ChainedRecord> {
  let head = hash("sha256", subjectText(subject), "hex");
  const chained: ReceiptRecord["entries"] = [];
  const eventTexts = new Map<unknown, string>();
  for (const { event: stored, assistantMessage } of entries) {
    const assistantMessageHash = assistantMessage === undefined ? undefined : textHash(recordText(assistantMessage));
    await yieldNow();
    const text = recordText(stored);
    await yieldNow();
    head = hash("sha256", linkText(head, entryText(text, assistantMessageHash)), "hex");
    const event = JSON.parse(text);
    eventTexts.set(event, text);
    chained.push({ hash: head, event, ...defined({ assistantMessageHash }) });
    await yieldNow();
  }
  return { record: { subject: { ...subject }, entries: chained, head }, eventTexts };
}
