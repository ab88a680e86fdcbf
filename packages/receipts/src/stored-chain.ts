import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import type { StoredForm, StoredSubject } from "@yagate/store/port";

/** The values at the start of a chain: the subject, and the parsed request. */
export interface ChainStart {
  readonly subject: Omit<StoredSubject, "request">;
  /** With the mode of the execution and what it replays. */
  readonly request: unknown;
}

/**
 * Returns the text at the start of a stored chain, which the first append follows.
 *
 * The stored chain hashes the exact bytes of the stored entries, which is fast because the entries are serialised
 * anyway. The chain of a receipt, which other parties recompute, hashes the contents of the entries instead.
 */
export function startText({ subject, request }: ChainStart, agentHash: string): string {
  const { executionId, workspaceId, agentId, agentVersion, startedByKeyId, createdAt } = subject;
  const fields = [executionId, workspaceId, agentId, agentVersion, agentHash, startedByKeyId, createdAt, request];
  return JSON.stringify(fields);
}

/** Returns the first hash of a chain whose first append has form 1. */
export function startHash(start: string): string {
  return hash("sha256", start, "hex");
}

/**
 * Returns the next hash of a chain.
 *
 * @param previous - the previous hash; in form 2, the text at the start for the first append.
 * @param text - in form 1, the text of one entry; in form 2, the text of all entries of an append.
 */
export function nextHash(previous: string, text: string): string {
  return hash("sha256", previous + text, "hex");
}

/**
 * Parses the stored request of an execution, with the mode and the replay that are stored with it, but without the
 * trace.
 */
export function parseRequest(text: string): unknown {
  const stored = parseJsonOrUndefined(text);
  if (!isJsonObject(stored)) return stored;
  return Object.fromEntries(Object.entries(stored).filter(([name]) => name !== "trace"));
}

/** The link that is stored with an append: the sealed state of the chain before and after it. */
export interface RecordLink {
  readonly form: StoredForm;
  /** Hash of the chain after the last entry: 64 hex digits. */
  readonly head: string;
  /** Id of the master key from which the sealing key of `mac` was derived. */
  readonly kid: string;
  readonly mac: string;
  /**
   * Marks of {@link MARK_DIGITS} digits: of what the append follows, then of each entry. They locate a changed entry;
   * `mac` proves the change. In form 1, a mark is the start of the chain's hash at that place; in form 2, it is the
   * checksum of the text.
   */
  readonly marks: readonly string[];
}

const MARK_DIGITS = 8;
const LINK = /^([12])\.([A-Za-z0-9_-]{1,64})\.([0-9a-f]{64})\.([A-Za-z0-9_-]{43})\.((?:[0-9a-f]{8})+)$/;
const MARKS = /[0-9a-f]{8}/g;

/** Returns the start of a hash, which identifies an entry of form 1. */
export function markOf(hash: string): string {
  return hash.slice(0, MARK_DIGITS);
}

/** Returns the CRC-32 of a text, which identifies an entry of form 2. */
export function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(MARK_DIGITS, "0");
}

/** Returns the text that the seal covers: the record up to its entry `seq`. */
export function sealedText(form: StoredForm, executionId: string, seq: number, head: string): string {
  return `yagate-record-${form}\n${executionId}\n${seq}\n${head}`;
}

/** Serialises a link for the store. */
export function toLinkText({ form, head, kid, mac, marks }: RecordLink): string {
  return `${form}.${kid}.${head}.${mac}.${marks.join("")}`;
}

/** Parses a stored link; returns undefined if the text is not a link. */
export function parseLink(text: string): RecordLink | undefined {
  const [, form, kid, head, mac, marks] = LINK.exec(text) ?? [];
  if (kid === undefined || head === undefined || mac === undefined || marks === undefined) return undefined;
  return { form: form === "1" ? 1 : 2, kid, head, mac, marks: marks.match(MARKS) ?? [] };
}
