import type { Yielder } from "@yagate/lib/async/event-loop";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { FINAL_EVENT_TYPES, type Receipt, recordText } from "@yagate/protocol";
import type { ExecutionRow, StoredAppend } from "@yagate/store/port";
import * as z from "zod";
import type { RecordKeys } from "./record-keys.ts";
import { checksumOf, markOf, nextHash, parseLink, type RecordLink, sealedText, startHash } from "./stored-chain.ts";

/** The first entry that differs from the sealed one, with the reason. */
export type Difference = NonNullable<Receipt["difference"]>;

/** An entry as it is stored now. */
export interface ReadEntry {
  readonly event: Readonly<Record<string, unknown>> & { readonly seq: number; readonly type: string };
  readonly assistantMessage?: unknown;
}

/** A stored record, compared with its seals. */
export interface CheckedRecord {
  /** The entries before the first one that can't be read. */
  readonly entries: readonly ReadEntry[];
  readonly difference: Difference | null;
  /** Whether the last entry ends the execution. */
  readonly hasEnded: boolean;
}

const entriesSchema = z.array(
  z.looseObject({ event: z.looseObject({ seq: z.int(), type: z.string(), executionId: z.string() }) }),
);
type StoredEntry = z.infer<typeof entriesSchema>[number];

/** The entries of an append, and the text of each. */
interface ReadAppend {
  readonly entries: readonly StoredEntry[];
  readonly texts: readonly string[];
}

/**
 * Compares the record of an execution with its seals, entry by entry.
 *
 * @param start - the text at the start of the chain.
 */
export async function checkRecord(
  executionId: string,
  start: string,
  appends: readonly StoredAppend[],
  row: Pick<ExecutionRow, "lastSeq" | "status" | "output" | "error" | "usage" | "cost">,
  keys: Pick<RecordKeys, "isSealOf">,
  yieldNow: Yielder,
): Promise<CheckedRecord> {
  const entries: ReadEntry[] = [];
  let previous = start;
  let difference: Difference | null = null;
  for (const append of appends) {
    await yieldNow();
    const read = await readAppend(append.entries, yieldNow);
    const first = entries.length + 1;
    const chain = append.link !== null && parseLink(append.link)?.form === 2 ? CHAIN_2 : CHAIN_1;
    const before = entries.length === 0 ? chain.startOf(start) : previous;
    difference ??= differenceBefore(append, chain.markOf(before), first);
    if (read === undefined) {
      difference ??= { seq: first, reason: `the stored data from entry ${first} onwards can't be read` };
      break;
    }
    difference ??= numberingOf(read.entries, executionId, first, append.lastSeq);
    const sealed = chain.follow(before, read.texts);
    difference ??= differenceIn(append, sealed, first, executionId, keys);
    for (const entry of read.entries) entries.push(entry);
    previous = sealed.head;
  }
  difference ??= differenceAtEnd(entries, row);
  return { entries, difference, hasEnded: FINAL_EVENT_TYPES.has(entries.at(-1)?.event.type ?? "") };
}

/**
 * Parses the entries of an append. It returns them exactly as parsed, because the output of a schema could have a
 * different order. Returns undefined if the text contains no entries, or if it differs from the gateway's own
 * serialisation, because another parser could then interpret it differently.
 */
async function readAppend(text: string, yieldNow: Yielder): Promise<ReadAppend | undefined> {
  const entries = parseJsonOrUndefined(text);
  if (!isEntries(entries)) return undefined;
  const texts: string[] = [];
  for (const entry of entries) {
    await yieldNow();
    texts.push(JSON.stringify(entry));
  }
  return `[${texts.join(",")}]` === text ? { entries, texts } : undefined;
}

function isEntries(parsed: unknown): parsed is readonly StoredEntry[] {
  return entriesSchema.safeParse(parsed).success;
}

/** The hash of the chain after an append, and the marks of its entries. */
type Followed = Pick<RecordLink, "head" | "marks">;

/** How the appends of a form are chained. */
interface Chain {
  /** Returns what the first append of the chain follows, from the text at the start. */
  readonly startOf: (start: string) => string;
  readonly markOf: (previous: string) => string;
  readonly follow: (previous: string, texts: readonly string[]) => Followed;
}

const CHAIN_1: Chain = {
  startOf: startHash,
  markOf,
  follow(previous, texts) {
    let head = previous;
    const marks = texts.map((text) => {
      head = nextHash(head, text);
      return markOf(head);
    });
    return { head, marks };
  },
};

const CHAIN_2: Chain = {
  startOf: (start) => start,
  markOf: checksumOf,
  follow: (previous, texts) => ({ head: nextHash(previous, `[${texts.join(",")}]`), marks: texts.map(checksumOf) }),
};

/** Checks that an append has a seal and follows the entries before it. */
function differenceBefore(append: StoredAppend, mark: string, first: number): Difference | null {
  const link = append.link === null ? undefined : parseLink(append.link);
  if (append.link === null) {
    const reason = `the entries from ${first} onwards have no seal: an earlier version of the gateway wrote them, or the seal was removed`;
    return { seq: first, reason };
  }
  if (link === undefined) return { seq: first, reason: `the seal of the entries from ${first} onwards was changed` };
  if (link.marks[0] === mark) return null;
  if (first > 1) {
    return { seq: first, reason: `the entries from ${first} onwards do not follow the entries before them` };
  }
  const reason = "the caller, the request or the version of the agent is not the one with which the execution started";
  return { seq: 0, reason };
}

function numberingOf(
  stored: readonly StoredEntry[],
  executionId: string,
  first: number,
  lastSeq: number,
): Difference | null {
  for (const [index, { event }] of stored.entries()) {
    const seq = first + index;
    if (event.executionId !== executionId) return { seq, reason: `entry ${seq} belongs to another execution` };
    if (event.seq !== seq) return { seq, reason: `entry ${seq} is missing or out of place` };
  }
  const last = first + stored.length - 1;
  if (last === lastSeq) return null;
  return { seq: last + 1, reason: `the entries after entry ${last} are not the original ones` };
}

function differenceIn(
  append: StoredAppend,
  { head, marks }: Followed,
  first: number,
  executionId: string,
  keys: Pick<RecordKeys, "isSealOf">,
): Difference | null {
  const link = append.link === null ? undefined : parseLink(append.link);
  if (link === undefined || marks.length === 0) return { seq: first, reason: `entry ${first} is missing` };
  for (const [index, mark] of marks.entries()) {
    const seq = first + index;
    if (link.marks[index + 1] !== mark) return { seq, reason: `entry ${seq} was changed after it was written` };
  }
  const isSealed = keys.isSealOf(sealedText(link.form, executionId, append.lastSeq, head), link.kid, link.mac);
  if (isSealed === undefined) {
    const reason = `the entries from ${first} onwards were sealed with the master key ${link.kid}, which is not configured: add it to YAGATE_MASTER_KEYS to verify them`;
    return { seq: first, reason };
  }
  // After a change, the chain can be recomputed without the key; the seal can't.
  const last = first + marks.length - 1;
  const entries = last === first ? `entry ${first} is` : `entries ${first} to ${last} are`;
  if (!isSealed)
    return { seq: first, reason: `${entries} not what the gateway sealed: the chain was recomputed without its key` };
  return null;
}

function differenceAtEnd(
  entries: readonly ReadEntry[],
  row: Pick<ExecutionRow, "lastSeq" | "status" | "output" | "error" | "usage" | "cost">,
): Difference | null {
  const seq = entries.length;
  if (seq < row.lastSeq) {
    return { seq: seq + 1, reason: `the record ends at entry ${seq} of ${row.lastSeq}` };
  }
  const last = entries.at(-1)?.event;
  const ended = last !== undefined && FINAL_EVENT_TYPES.has(last.type) ? last : undefined;
  const isEnded = row.status === "completed" || row.status === "failed" || row.status === "cancelled";
  if (ended === undefined) {
    if (!isEnded) return null;
    return { seq: seq + 1, reason: `the execution is listed as ${row.status}, but its record has no end` };
  }
  const { usage, cost, output = null, error = null } = ended;
  const recorded = { status: ended.type.slice("execution.".length), usage, cost, output, error };
  const listed = { status: row.status, usage: row.usage, cost: row.cost, output: row.output, error: row.error };
  if (recordText(recorded) === recordText(listed)) return null;
  return { seq, reason: "the outcome in lists differs from the outcome in the record" };
}
