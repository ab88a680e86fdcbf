import { hash } from "node:crypto";
import { entryText, linkText, type ReceiptRecord, type RecordSubject, recordText, subjectText } from "@yagate/protocol";
import type { ReadEntry } from "./check-record.ts";
import type { ChainStart } from "./stored-chain.ts";

/** SHA-256 of a record text, as subjects, entries and signatures name it. */
export function textHash(text: string): string {
  return `sha256:${hash("sha256", text, "hex")}`;
}

/** What a receipt's record begins with. */
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

/** The record of a receipt: a chain that everybody can make again from what the receipt holds. */
export function toReceiptRecord(subject: RecordSubject, entries: readonly ReadEntry[]): ReceiptRecord {
  let head = hash("sha256", subjectText(subject), "hex");
  const chained = entries.map(({ event, assistantMessage }) => {
    const messageHash = assistantMessage === undefined ? undefined : textHash(recordText(assistantMessage));
    const eventText = recordText(event);
    head = hash("sha256", linkText(head, entryText(eventText, messageHash)), "hex");
    const entry = { hash: head, event: JSON.parse(eventText) };
    return messageHash === undefined ? entry : { ...entry, assistantMessageHash: messageHash };
  });
  return { subject: { ...subject }, entries: chained, head };
}
