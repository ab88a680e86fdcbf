import { recordText } from "./record-text.ts";

/** Names how a record is chained; it is part of what is hashed, so that no other text can be taken for one. */
export const RECORD_FORMAT = "yagate-record-1";

/** Who asked for what of which agent: what a record begins with. Hashes are `sha256:` and 64 hex digits. */
export interface RecordSubject {
  readonly executionId: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  /** Of the record text of that version of the agent, with its tools and system prompt. */
  readonly agentHash: string;
  /** Null for the bootstrap key. */
  readonly keyId: string | null;
  /** RFC 3339. */
  readonly createdAt: string;
  /** Of the record text of the request that started it. */
  readonly requestHash: string;
}

/** The text that the first hash is of. */
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
 * @param messageHash - of the record text of the model's message, which is never shown; undefined where there is none.
 */
export function entryText(eventText: string, messageHash: string | undefined): string {
  return messageHash === undefined
    ? `{"event":${eventText}}`
    : `{"assistantMessageHash":"${messageHash}","event":${eventText}}`;
}

/** The text that the hash of an entry is of: the hash before it, 64 hex digits, and the entry's own text. */
export function linkText(previousHash: string, text: string): string {
  return previousHash + text;
}
