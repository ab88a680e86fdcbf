import { recordText } from "./record-text.ts";

/** Identifies how a record is chained. It is part of the hashed text, so no other text can pass for a record. */
export const RECORD_FORMAT = "yagate-record-1";

/** The start of a record: who requested what from which agent. Hashes consist of `sha256:` and 64 hex digits. */
export interface RecordSubject {
  readonly executionId: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  /** Hash of the record text of the agent's version, which includes its tools and system prompt. */
  readonly agentHash: string;
  /** The API key that started the execution; null for the bootstrap key. */
  readonly keyId: string | null;
  /** When the execution was created, in RFC 3339. */
  readonly createdAt: string;
  /** Hash of the record text of the request that started the execution. */
  readonly requestHash: string;
}

/** Returns the text of the first hash, which covers the subject. */
export function subjectText(subject: RecordSubject): string {
  const { executionId, workspaceId, agentId, agentVersion, agentHash, keyId, createdAt, requestHash } = subject;
  return recordText({
    format: RECORD_FORMAT,
    executionId,
    workspaceId,
    agentId,
    agentVersion,
    agentHash,
    keyId,
    createdAt,
    requestHash,
  });
}

/**
 * Returns the text of one entry.
 *
 * @param eventText - the record text of the event.
 * @param messageHash - the hash of the record text of the model's message; undefined if there is no message. The
 *   message itself is never shown.
 */
export function entryText(eventText: string, messageHash: string | undefined): string {
  return messageHash === undefined
    ? `{"event":${eventText}}`
    : `{"assistantMessageHash":"${messageHash}","event":${eventText}}`;
}

/** Returns the text of an entry's hash: the previous hash as 64 hex digits, followed by the text of the entry. */
export function linkText(previousHash: string, text: string): string {
  return previousHash + text;
}
