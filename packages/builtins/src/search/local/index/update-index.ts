import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { DocumentError } from "../../../web/port.ts";
import type { SkipReason } from "../documents/document-file.ts";
import { type ReadDocumentFile, readFileAsDocument } from "../documents/read-file.ts";
import { readDocumentTerms } from "./document-terms.ts";
import type { IndexLimits } from "./index-limits.ts";
import type { IndexReport } from "./index-report.ts";
import type { IndexWriter, KnownFile } from "./index-writer.ts";
import { type FoundFile, type WalkCounts, walkFolder } from "./walk-folder.ts";

export interface UpdateOptions {
  readonly folder: string;
  readonly writer: IndexWriter;
  readonly reader?: ReadDocumentFile;
  readonly limits: IndexLimits;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
  /**
   * Called after each batch with the number of files checked so far. The pass continues when the returned promise
   * resolves.
   */
  readonly onProgress?: (files: number) => Promise<void> | void;
  readonly signal?: AbortSignal;
}

/** Duration of a batch. Other work, such as searches, runs between batches. */
const TURN_MS = 15;
/** Time between commits. Each commit syncs the disk and creates a segment that must be merged later. */
const COMMIT_EVERY_MS = 500;
/**
 * A check time that makes the next pass read a file again, even if its metadata is unchanged. Used for a file that
 * could not be read.
 */
const UNCHECKED = 0;
/**
 * File systems store times in steps of up to 2 s. If a file changes twice within one step, only its content shows the
 * second change.
 */
const RACY_MS = 2_000;

/**
 * Synchronises an index with its folder. A file with unchanged modification time and size counts as unchanged. Other
 * files are read, and indexed again if their content has changed. Changes are committed at intervals. If a pass is
 * interrupted, the next one completes it.
 */
export async function updateIndex(options: UpdateOptions): Promise<IndexReport> {
  const { folder, writer, limits, now, onProgress, signal } = options;
  const startedAt = now();
  const known = new Map(writer.readFiles().map((file) => [file.path, file]));
  const walked: WalkCounts = { unsupported: 0, linksAndSpecial: 0, unreadableFolders: 0 };
  const skips: Record<SkipReason, number> = { binary: 0, too_large: 0, unreadable: 0, empty: 0 };
  const counts = { documents: 0, indexed: 0, unchanged: 0, removed: 0, pastLimits: 0 };
  let bytes = 0;
  let files = 0;
  let turnStart = performance.now();
  let committedAt = turnStart;

  async function yieldTurn(): Promise<void> {
    if (performance.now() - turnStart < TURN_MS) return;
    if (performance.now() - committedAt > COMMIT_EVERY_MS) {
      writer.commit();
      committedAt = performance.now();
    }
    await onProgress?.(files);
    await yieldToEventLoop();
    signal?.throwIfAborted();
    turnStart = performance.now();
  }

  async function visit(file: FoundFile): Promise<void> {
    const before = known.get(file.path);
    const fits = counts.documents < limits.maxFiles && bytes + file.size <= limits.maxTotalBytes;
    if (!fits && file.size <= limits.maxFileBytes) {
      counts.pastLimits += 1;
      return;
    }
    known.delete(file.path);
    const skipped = await bringIn(file, before);
    if (skipped === undefined) {
      counts.documents += 1;
      bytes += file.size;
    } else skips[skipped] += 1;
  }

  async function bringIn(file: FoundFile, before: KnownFile | undefined): Promise<SkipReason | undefined> {
    const looksSame = before !== undefined && before.size === file.size && before.modifiedNs === file.modifiedNs;
    const isRacy = before !== undefined && Number(file.modifiedNs / 1_000_000n) > before.checkedAt - RACY_MS;
    if (looksSame && !isRacy) {
      if (before.skipped === undefined) counts.unchanged += 1;
      return before.skipped;
    }
    const checkedAt = now();
    if (file.size > limits.maxFileBytes) {
      writer.put(file, "", "too_large", checkedAt);
      return "too_large";
    }
    const content = readBytes(file.realPath, limits.maxFileBytes);
    if (content === undefined) {
      writer.put(file, "", "unreadable", UNCHECKED);
      return "unreadable";
    }
    const hash = createHash("sha256").update(content).digest("base64url");
    if (before?.hash === hash) {
      if (before.skipped === undefined) counts.unchanged += 1;
      writer.touch(before.id, file, checkedAt);
      return before.skipped;
    }
    const reading = await readFileAsDocument(file.path, content, options.reader).catch((error: unknown) => {
      signal?.throwIfAborted();
      return error instanceof DocumentError && error.reason === "busy"
        ? undefined
        : ({ skipped: "unreadable" } as const);
    });
    if (reading === undefined) {
      writer.put(file, "", "unreadable", UNCHECKED);
      return "unreadable";
    }
    if ("skipped" in reading) {
      writer.put(file, hash, reading.skipped, checkedAt);
      return reading.skipped;
    }
    writer.put(file, hash, readDocumentTerms(file.path, reading.document), checkedAt);
    counts.indexed += 1;
    return undefined;
  }

  try {
    for await (const file of walkFolder(folder, walked)) {
      await visit(file);
      files += 1;
      await yieldTurn();
    }
    if (walked.unreadableFolders === 0) {
      for (const { id, skipped } of known.values()) {
        writer.remove(id);
        if (skipped === undefined) counts.removed += 1;
        await yieldTurn();
      }
    }
    if (counts.indexed > 0) {
      for (let last: string | undefined = ""; last !== undefined; last = writer.learnTerms(last)) await yieldTurn();
    }
    writer.commit();
  } catch (error) {
    writer.rollback();
    throw error;
  }
  const { unsupported, linksAndSpecial, unreadableFolders } = walked;
  const { pastLimits, ...rest } = counts;
  const { too_large: tooLarge, ...others } = skips;
  return {
    ...rest,
    skipped: { ...others, tooLarge, unsupported, linksAndSpecial, pastLimits },
    unreadableFolders,
    durationMs: now() - startedAt,
  };
}

/**
 * Reads a file. Returns `undefined` if it cannot be read or has grown beyond the limit. Synchronous reading is several
 * times faster; in this separate thread, it delays searches by one file at most.
 */
function readBytes(path: string, maxBytes: number): Uint8Array | undefined {
  let file: number | undefined;
  try {
    // A file that has been replaced by a link or a pipe since the walk is not opened.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= maxBytes ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
