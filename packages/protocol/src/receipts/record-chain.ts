import { recordText } from "./record-text.ts";

/** Identifies how a record is chained. It is part of the hashed text, so that no other text can pass for a record. */
export const RECORD_FORMAT = "yagate-record-1";

/** The beginning of a record: who requested what from which agent. Hashes are `sha256:` and 64 hex digits. */
export interface RecordSubject {
  readonly executionId: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  /** Hash of the record text of that version of the agent, with its tools and system prompt. */
  readonly agentHash: string;
  /** Null for the bootstrap key. */
  readonly keyId: string | null;
  /** RFC 3339. */
  readonly createdAt: string;
  /** Hash of the record text of the request that started the execution. */
  readonly requestHash: string;
}

/** The text of the first hash. */
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
 * The text of one entry.
 *
 * @param eventText - the record text of the event.
 * @param messageHash - the hash of the record text of the model's message, which is never shown; undefined without a
 * message.
 */
export function entryText(eventText: string, messageHash: string | undefined): string {
  return messageHash === undefined
    ? `{"event":${eventText}}`
    : `{"assistantMessageHash":"${messageHash}","event":${eventText}}`;
}

/** The text of an entry's hash: the previous hash, 64 hex digits, and the entry's own text. */
export function linkText(previousHash: string, text: string): string {
  return previousHash + text;
}
