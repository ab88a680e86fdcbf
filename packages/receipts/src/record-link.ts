import { crc32 } from "node:zlib";
import type { StoredForm } from "@yagate/store/port";

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

export const MARK_DIGITS = 8;
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
