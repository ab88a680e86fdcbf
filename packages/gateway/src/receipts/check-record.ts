import type { Yielder } from "@yagate/lib/async/event-loop";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { FINAL_EVENT_TYPES, type Receipt, recordText } from "@yagate/protocol";
import type { ExecutionRow } from "@yagate/store/port";
import type { StoredAppend } from "@yagate/store/rows/record-rows";
import * as z from "zod";
import type { RecordKeys } from "./record-keys.ts";
import { markOf, parseLink, sealedText } from "./record-link.ts";
import { nextHash } from "./stored-chain.ts";

/** The first entry that is not as it was sealed. */
export type Difference = NonNullable<Receipt["difference"]>;

/** An entry as it is stored now. */
export interface ReadEntry {
  readonly event: Readonly<Record<string, unknown>> & { readonly seq: number; readonly type: string };
  readonly assistantMessage?: unknown;
}

/** A stored record, read and compared with its seals. */
export interface CheckedRecord {
  /** What could be read, up to the first entry that could not. */
  readonly entries: readonly ReadEntry[];
  readonly difference: Difference | null;
  /** The last entry is the end of the execution. */
  readonly hasEnded: boolean;
}

const entriesSchema = z.array(
  z.looseObject({ event: z.looseObject({ seq: z.int(), type: z.string(), executionId: z.string() }) }),
);
type StoredEntry = z.infer<typeof entriesSchema>[number];

/** The entries of an append, and the text that each of them is hashed as. */
interface ReadAppend {
  readonly entries: readonly StoredEntry[];
  readonly texts: readonly string[];
}

/**
 * Whether the record of an execution is the one that was sealed, entry by entry.
 *
 * @param start - the hash that the chain begins with.
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
  let head = start;
  let difference: Difference | null = null;
  for (const append of appends) {
    await yieldNow();
    const read = await readAppend(append.entries, yieldNow);
    const first = entries.length + 1;
    difference ??= differenceBefore(append, head, first);
    if (read === undefined) {
      difference ??= { seq: first, reason: `what is stored from entry ${first} on can't be read` };
      break;
    }
    difference ??= numberingOf(read.entries, executionId, first, append.lastSeq);
    const hashes = hashesOf(head, read.texts);
    difference ??= differenceIn(append, hashes, first, executionId, keys);
    for (const entry of read.entries) entries.push(entry);
    head = hashes.at(-1) ?? head;
  }
  difference ??= differenceAtEnd(entries, row);
  return { entries, difference, hasEnded: FINAL_EVENT_TYPES.has(entries.at(-1)?.event.type ?? "") };
}

/**
 * As they were parsed: what a schema makes of them could be in another order. Undefined: they are no entries, or are
 * not written as the gateway writes them, so that another reader could understand something else.
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

function hashesOf(previous: string, texts: readonly string[]): readonly string[] {
  let hash = previous;
  return texts.map((text) => {
    hash = nextHash(hash, text);
    return hash;
  });
}

/** What shows before an append is read: that it is sealed, and follows what stands before it. */
function differenceBefore(append: StoredAppend, head: string, first: number): Difference | null {
  const link = append.link === null ? undefined : parseLink(append.link);
  if (append.link === null) {
    const reason = `the entries from ${first} on are stored without a seal: an earlier version of the gateway wrote them, or the seal was removed`;
    return { seq: first, reason };
  }
  if (link === undefined) return { seq: first, reason: `the seal of the entries from ${first} on was changed` };
  if (link.marks[0] === markOf(head)) return null;
  if (first > 1) {
    return { seq: first, reason: `what is stored from entry ${first} on does not follow the entries before it` };
  }
  const reason = "who asked, what was asked or the version of the agent is not what it was when the execution began";
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
    if (event.executionId !== executionId) return { seq, reason: `entry ${seq} is one of another execution` };
    if (event.seq !== seq) return { seq, reason: `entry ${seq} is missing, or stands in another place` };
  }
  const last = first + stored.length - 1;
  if (last === lastSeq) return null;
  return { seq: last + 1, reason: `the record goes on after entry ${last} with other entries than it had` };
}

function differenceIn(
  append: StoredAppend,
  hashes: readonly string[],
  first: number,
  executionId: string,
  keys: Pick<RecordKeys, "isSealOf">,
): Difference | null {
  const link = append.link === null ? undefined : parseLink(append.link);
  const head = hashes.at(-1);
  if (link === undefined || head === undefined) return { seq: first, reason: `entry ${first} is missing` };
  for (const [index, hash] of hashes.entries()) {
    const seq = first + index;
    if (link.marks[index + 1] !== markOf(hash)) return { seq, reason: `entry ${seq} was changed after it was written` };
  }
  const isSealed = keys.isSealOf(sealedText(executionId, append.lastSeq, head), link.kid, link.mac);
  if (isSealed === undefined) {
    const reason = `the entries from ${first} on were sealed under the master key ${link.kid}, which is not configured: add it to say whether they were changed`;
    return { seq: first, reason };
  }
  // Whatever was changed, the chain was made again to fit; only the seal can't be.
  const last = first + hashes.length - 1;
  const entries = last === first ? `entry ${first} is` : `entries ${first} to ${last} are`;
  if (!isSealed)
    return { seq: first, reason: `${entries} not what the gateway sealed, though the chain was made to fit` };
  return null;
}

function differenceAtEnd(
  entries: readonly ReadEntry[],
  row: Pick<ExecutionRow, "lastSeq" | "status" | "output" | "error" | "usage" | "cost">,
): Difference | null {
  const seq = entries.length;
  if (seq < row.lastSeq) {
    return { seq: seq + 1, reason: `the record ends at entry ${seq}, and it had ${row.lastSeq}` };
  }
  const last = entries.at(-1)?.event;
  const ended = last !== undefined && FINAL_EVENT_TYPES.has(last.type) ? last : undefined;
  const isEnded = row.status === "completed" || row.status === "failed" || row.status === "cancelled";
  if (ended === undefined) {
    if (!isEnded) return null;
    return { seq: seq + 1, reason: `the execution is listed as ${row.status}, and its record does not say so` };
  }
  const { usage, cost, output = null, error = null } = ended;
  const lineOf = { status: ended.type.slice("execution.".length), usage, cost, output, error };
  const listed = { status: row.status, usage: row.usage, cost: row.cost, output: row.output, error: row.error };
  if (recordText(lineOf) === recordText(listed)) return null;
  return { seq, reason: "what lists show of the execution's end is not what its record says" };
}
