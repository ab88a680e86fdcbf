import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { SearchAnswer, SearchQuery, SearchWarning } from "../../port.ts";
import type { ReadDocumentFile } from "../documents/read-file.ts";
import { createIndexSearch, type IndexSearch } from "../query/search-index.ts";
import type { IndexLimits } from "./index-limits.ts";
import type { IndexReport } from "./index-report.ts";
import { createIndexWriter, type IndexWriter } from "./index-writer.ts";
import { isBroken, isComplete, markComplete, openIndex, removeIndex } from "./open-index.ts";
import { updateIndex } from "./update-index.ts";
import { countFiles } from "./walk-folder.ts";
import { takeWriterLock } from "./writer-lock.ts";

/** Events of an index, for the operator's log. */
export type IndexNote =
  | { readonly note: "made"; readonly because: "missing" | "broken" | "outdated" }
  | { readonly note: "progress"; readonly files: number }
  | { readonly note: "elsewhere" };

export interface LocalIndexOptions {
  readonly folder: string;
  readonly indexFile: string;
  readonly reader?: ReadDocumentFile;
  readonly limits: IndexLimits;
  readonly tell: (note: IndexNote) => void;
}

/** An index of a folder. It runs in the thread that reads the files and runs the queries. */
export interface LocalIndex {
  /** Whether the index stays empty until the first pass ends. */
  readonly isNew: boolean;
  /** Runs one query. @param now - ms since the epoch. */
  search(query: SearchQuery, now: number): SearchAnswer;
  /** Returns a value that changes whenever any process changes the index. */
  revision(): string;
  /** Updates the index, one pass at a time. Returns `undefined` if another process is the writer. */
  refresh(): Promise<IndexReport | undefined>;
  close(): Promise<void>;
}

interface Opened {
  readonly databases: readonly DatabaseSync[];
  readonly search: IndexSearch;
  /** Returns the number of changes that other processes have made since this connection was opened. */
  readonly version: () => number;
  /** Returns whether a complete pass has ended since the index was created. */
  readonly isWhole: () => boolean;
  /** Absent if another process is the writer. */
  readonly writer?: IndexWriter;
  readonly markWhole?: () => void;
}

const PROGRESS_EVERY_MS = 5_000;

export function createLocalIndex(options: LocalIndexOptions): LocalIndex {
  const { folder, indexFile, reader, limits, tell } = options;
  const closing = new AbortController();
  const kind = reader === undefined ? "plain" : "documents";
  let release: (() => void) | undefined;
  let running: Promise<IndexReport | undefined> | undefined;
  let isNew = false;
  let progress: { readonly files: number; readonly of: number } | undefined;
  let openings = 0;
  let opened = open();

  function open(): Opened | undefined {
    openings += 1;
    release ??= takeWriterLock(indexFile);
    if (release === undefined) {
      tell({ note: "elsewhere" });
      return openForReading();
    }
    const { database, madeBecause } = openIndex(indexFile, kind);
    isNew = !isComplete(database);
    if (madeBecause !== undefined) tell({ note: "made", because: madeBecause });
    // A separate connection, because a query on the writer's connection would flush the writer's buffered terms in many
    // small segments.
    const readable = new DatabaseSync(indexFile, { readOnly: true });
    return {
      databases: [readable, database],
      search: createIndexSearch(readable),
      version: versionOf(readable),
      isWhole: () => !isNew,
      writer: createIndexWriter(database),
      markWhole: () => markComplete(database),
    };
  }

  function openForReading(): Opened | undefined {
    if (!existsSync(indexFile)) return undefined;
    try {
      const database = new DatabaseSync(indexFile, { readOnly: true });
      const search = createIndexSearch(database);
      return { databases: [database], search, version: versionOf(database), isWhole: () => isComplete(database) };
    } catch {
      // The writer is creating the index.
      return undefined;
    }
  }

  function closeFile(): void {
    for (const database of opened?.databases ?? []) database.close();
    opened = undefined;
  }

  function reopen(): void {
    closeFile();
    opened = open();
  }

  function makeAnew(): void {
    closeFile();
    if (release !== undefined) removeIndex(indexFile);
    opened = open();
  }

  async function pass(): Promise<IndexReport | undefined> {
    if (opened?.writer === undefined) reopen();
    try {
      return await passOver();
    } catch (error) {
      if (!isBroken(error)) throw error;
      makeAnew();
      return await passOver();
    }
  }

  async function passOver(): Promise<IndexReport | undefined> {
    if (opened?.writer === undefined) return undefined;
    let toldAt = performance.now();
    progress = isNew ? { files: 0, of: await countFiles(folder) } : undefined;
    const onProgress = (files: number) => {
      if (progress !== undefined) progress = { files, of: Math.max(files, progress.of) };
      if (performance.now() - toldAt < PROGRESS_EVERY_MS) return;
      toldAt = performance.now();
      tell({ note: "progress", files });
    };
    const { writer, markWhole } = opened;
    const common = { folder, writer, limits, now: Date.now, onProgress, signal: closing.signal };
    const report = await updateIndex(reader === undefined ? common : { ...common, reader });
    if (isNew) markWhole?.();
    isNew = false;
    return report;
  }

  function incomplete(): SearchWarning {
    const known = progress === undefined ? "" : `: ${progress.files} of ${progress.of} files`;
    const message = `the folder is still being indexed${known}; files that are not yet indexed can't be found`;
    return { code: "INDEX_INCOMPLETE", message, isPassing: true };
  }

  function refresh(): Promise<IndexReport | undefined> {
    running ??= pass().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    get isNew() {
      return isNew;
    },
    search(query, now) {
      try {
        // Read before the search: if the pass ends in between, the warning is outdated, but the result is correct.
        const isWhole = opened?.isWhole() === true;
        const answer = opened?.search.search(query, now) ?? { hits: [] };
        return isWhole ? answer : { ...answer, warnings: [incomplete()] };
      } catch (error) {
        // A running pass detects the damage itself.
        if (isBroken(error) && running === undefined) {
          makeAnew();
          void refresh().catch(() => undefined);
        }
        throw error;
      }
    },
    revision: () => `${openings}.${opened?.version() ?? 0}`,
    refresh,
    async close() {
      closing.abort();
      await running?.catch(() => undefined);
      closeFile();
      release?.();
      release = undefined;
    },
  };
}

function versionOf(database: DatabaseSync): () => number {
  const statement = database.prepare("PRAGMA data_version");
  return () => Number(statement.get()?.["data_version"]);
}
