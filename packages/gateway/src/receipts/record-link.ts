/** The link that is stored with an append: the sealed state of the chain before and after it. */
export interface RecordLink {
  /** Hash of the chain after the last entry: 64 hex digits. */
  readonly head: string;
  /** Id of the master key from which the sealing key of `mac` was derived. */
  readonly kid: string;
  readonly mac: string;
  /**
   * The first {@link MARK_DIGITS} digits of each hash of the chain: the hash before the first entry, then the hash
   * after each entry. They locate a changed entry; `mac` proves the change.
   */
  readonly marks: readonly string[];
}

export const MARK_DIGITS = 8;
const VERSION = "1";
const LINK = /^1\.([A-Za-z0-9_-]{1,64})\.([0-9a-f]{64})\.([A-Za-z0-9_-]{43})\.((?:[0-9a-f]{8})+)$/;
const MARKS = /[0-9a-f]{8}/g;

/** Returns the start of a hash, which identifies an entry. */
export function markOf(hash: string): string {
  return hash.slice(0, MARK_DIGITS);
}

/** Returns the text that the seal covers: the record up to its entry `seq`. */
export function sealedText(executionId: string, seq: number, head: string): string {
  return `yagate-record-1\n${executionId}\n${seq}\n${head}`;
}

/** Serialises a link for the store. */
export function toLinkText({ head, kid, mac, marks }: RecordLink): string {
  return `${VERSION}.${kid}.${head}.${mac}.${marks.join("")}`;
}

/** Parses a stored link; returns undefined if the text is not a link. */
export function parseLink(text: string): RecordLink | undefined {
  const [, kid, head, mac, marks] = LINK.exec(text) ?? [];
  if (kid === undefined || head === undefined || mac === undefined || marks === undefined) return undefined;
  return { kid, head, mac, marks: marks.match(MARKS) ?? [] };
}
