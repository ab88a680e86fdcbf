import { stat } from "node:fs/promises";
import type { Logger } from "@yagate/lib/logging/logger";
import { YagateError } from "@yagate/protocol";
import type { DocumentReader } from "../../web/port.ts";
import { type SearchAnswer, SearchFailure, type SearchProvider, type SearchQuery } from "../port.ts";
import { DEFAULT_INDEX_LIMITS, type IndexLimits } from "./index/index-limits.ts";
import type { IndexReport } from "./index/index-report.ts";
import type { IndexNote } from "./index/local-index.ts";
import { type IndexThread, startIndexThread } from "./index-thread.ts";

export interface LocalSearchOptions {
  /** The folder of documents: Markdown and plain text and, if there is a reader, HTML, PDF, JSON and CSV. */
  readonly folder: string;
  /**
   * The path of the index file. The file and its folder are created if necessary. Only one process writes the index;
   * others search it.
   */
  readonly indexFile: string;
  readonly reader?: Pick<DocumentReader, "read">;
  /** Returns the time in ms since the epoch. Newer documents rank slightly higher. */
  readonly now: () => number;
  readonly logger?: Pick<Logger, "info" | "warn">;
  readonly limits?: Partial<IndexLimits>;
  /** Interval between checks of the folder, in ms; default 60,000. With 0, the folder is checked only on request. */
  readonly refreshEveryMs?: number;
}

/** Searches a folder of documents. */
export interface LocalSearch extends SearchProvider {
  /**
   * Checks the folder for changes, and resolves once the index includes them. Resolves to `undefined` if another
   * process writes the index.
   *
   * @throws SearchFailure `unavailable` if the folder cannot be read.
   */
  refresh(): Promise<IndexReport | undefined>;
  /** Returns a value that changes with each change to the index. */
  revision(): Promise<string>;
}

const REFRESH_EVERY_MS = 60_000;
/**
 * Time in ms after the index is opened during which searches wait for the first pass over the folder. The index is
 * empty until that pass ends.
 */
const FIRST_PASS_WAIT_MS = 2_000;
/**
 * Maximum time in ms that a search for fresh results waits for a pass over the folder. It then uses the index as it is.
 */
const FRESH_WAIT_MS = 2_000;

/**
 * Creates a search over a folder of documents. A separate thread updates the index immediately and then at intervals.
 * Until an update ends, searches use the previous content.
 *
 * @throws YagateError `NOT_CONFIGURED` if the folder does not exist, or the index cannot be written.
 */
export async function createLocalSearch(options: LocalSearchOptions): Promise<LocalSearch> {
  const { folder, indexFile, reader, now, logger, refreshEveryMs = REFRESH_EVERY_MS } = options;
  const task = { folder, indexFile, limits: { ...DEFAULT_INDEX_LIMITS, ...options.limits } };
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) throw notConfigured(`expected a readable folder of documents at ${folder}`);

  let starts = 0;
  const start = () => {
    starts += 1;
    return startIndexThread(task, reader, tell);
  };
  let thread = await start().catch((cause: unknown) => {
    throw notConfigured(`expected a writable path for the document index at ${indexFile}`, cause);
  });
  const openedAt = performance.now();
  let starting: Promise<IndexThread> | undefined;
  let refreshing: Promise<IndexReport | undefined> | undefined;
  let isClosed = false;

  function tell(note: IndexNote): void {
    if (note.note === "progress") logger?.info({ files: note.files }, "indexing the folder of documents");
    else if (note.note === "elsewhere") logger?.info({}, "another process writes the document index");
    else if (note.because === "broken")
      logger?.warn({}, "the document index was damaged; the gateway is rebuilding it");
    else logger?.info({ because: note.because }, "the document index is being created");
  }

  /** Returns the current thread. Starts a new one if an error or lack of memory ended the last one. */
  async function current(): Promise<IndexThread> {
    if (isClosed) throw new SearchFailure("unavailable", "the search in local documents is closed");
    if (!thread.hasEnded) return thread;
    starting ??= start().finally(() => {
      starting = undefined;
    });
    thread = await starting;
    return thread;
  }

  function refresh(): Promise<IndexReport | undefined> {
    refreshing ??= refreshNow().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  async function refreshNow(): Promise<IndexReport | undefined> {
    try {
      const report = await (await current()).refresh();
      if (report !== undefined && report.indexed + report.removed > 0) {
        logger?.info({ ...report }, "the folder of documents is indexed");
      }
      return report;
    } catch (error) {
      if (isClosed) throw error;
      logger?.warn({ error }, "the folder of documents could not be indexed");
      throw new SearchFailure("unavailable", "the folder of documents could not be read", { cause: error });
    }
  }

  const firstPass = refresh().then(
    () => undefined,
    () => undefined,
  );
  const timer =
    refreshEveryMs > 0 ? setInterval(() => void refresh().catch(() => undefined), refreshEveryMs) : undefined;
  timer?.unref();

  async function find(query: SearchQuery, isFresh: boolean): Promise<SearchAnswer> {
    if (isFresh) await settled(refresh(), FRESH_WAIT_MS);
    else if (thread.isNew) await settled(firstPass, openedAt + FIRST_PASS_WAIT_MS - performance.now());
    try {
      return await (await current()).search(query, now());
    } catch (cause) {
      if (cause instanceof SearchFailure) throw cause;
      logger?.warn({ error: cause }, "a search in local documents failed");
      throw new SearchFailure("unavailable", "the document index could not be searched", { cause });
    }
  }

  return {
    name: "local",
    corpus: "local",
    refresh,
    async revision() {
      const revision = await (await current()).revision();
      return `${starts}.${revision}`;
    },
    async search(query, { deadline, signal, isFresh = false }) {
      if (signal.aborted) throw aborted();
      const { promise: over, reject } = Promise.withResolvers<never>();
      const cancel = () => reject(aborted());
      const late = () => reject(new SearchFailure("unavailable", "the search in local documents took too long"));
      const timeout = setTimeout(late, Math.max(0, deadline - now()));
      signal.addEventListener("abort", cancel, { once: true });
      try {
        return await Promise.race([find(query, isFresh), over]);
      } finally {
        clearTimeout(timeout);
        signal.removeEventListener("abort", cancel);
      }
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await starting?.catch(() => undefined);
      await thread.close();
    },
  };
}

/** Waits until a pass over the folder succeeds or fails, for at most `waitMs`. */
async function settled(look: Promise<unknown>, waitMs: number): Promise<void> {
  if (waitMs <= 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  await Promise.race([look.catch(() => undefined), promise]);
  clearTimeout(timer);
}

function aborted(): SearchFailure {
  return new SearchFailure("aborted", "the search was cancelled");
}

function notConfigured(message: string, cause?: unknown): YagateError {
  return new YagateError("NOT_CONFIGURED", message, { cause });
}
