import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { DocumentError, type DocumentReader } from "../../web/port.ts";
import type { SearchAnswer, SearchQuery } from "../port.ts";
import type { IndexReport } from "./index/index-report.ts";
import type { IndexNote } from "./index/local-index.ts";
import type { ThreadReport, ThreadRequest, ThreadTask } from "./thread-messages.ts";

/** The worker's file: next to this file in the sources, next to the bundle in the package. */
const WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./local-worker.ts" : "./local-search-worker.js",
  import.meta.url,
);

const MEMORY_MEGABYTES = 1_024;

/** An index that runs in its own thread. */
export interface IndexThread {
  readonly isNew: boolean;
  readonly hasEnded: boolean;
  search(query: SearchQuery, now: number): Promise<SearchAnswer>;
  revision(): Promise<string>;
  refresh(): Promise<IndexReport | undefined>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(report: ThreadReport): void;
  reject(error: Error): void;
}

/**
 * Starts the thread of an index.
 *
 * @throws the error that ended the thread before it was ready.
 */
export async function startIndexThread(
  task: Omit<ThreadTask, "hasReader">,
  reader: Pick<DocumentReader, "read"> | undefined,
  onNote: (note: IndexNote) => void,
): Promise<IndexThread> {
  const workerData: ThreadTask = { ...task, hasReader: reader !== undefined };
  const worker = new Worker(WORKER, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MEGABYTES },
  });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let hasEnded = false;
  let fault: Error | undefined;

  const ready = Promise.withResolvers<boolean>();
  worker.on("message", (report: ThreadReport) => {
    if (report.tell === "ready") ready.resolve(report.isNew);
    else if (report.tell === "note") onNote(report.note);
    else if (report.tell === "read") void read(report);
    else {
      const one = waiting.get(report.id);
      waiting.delete(report.id);
      if (waiting.size === 0) worker.unref();
      if (report.tell === "failed") one?.reject(new Error(report.reason));
      else one?.resolve(report);
    }
  });
  worker.on("error", (error: Error) => {
    fault = error;
  });
  worker.on("exit", () => {
    hasEnded = true;
    const error = fault ?? new Error("the index thread has ended");
    ready.reject(error);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  });

  /** Reads a document that is not plain text on behalf of the worker thread, which has no document reader. */
  async function read({ id, ...document }: Extract<ThreadReport, { tell: "read" }>): Promise<void> {
    try {
      const found = await reader?.read(document);
      send(found === undefined ? { ask: "was_not_read", id, isBusy: false } : { ask: "was_read", id, document: found });
    } catch (error) {
      send({ ask: "was_not_read", id, isBusy: error instanceof DocumentError && error.reason === "busy" });
    }
  }

  function send(request: ThreadRequest): void {
    if (!hasEnded) worker.postMessage(request);
  }

  async function ask(makeRequest: (id: number) => ThreadRequest): Promise<ThreadReport> {
    if (hasEnded) throw fault ?? new Error("the index thread has ended");
    const id = ++lastId;
    const { promise, resolve, reject } = Promise.withResolvers<ThreadReport>();
    waiting.set(id, { resolve, reject });
    worker.ref();
    send(makeRequest(id));
    return promise;
  }

  const isNew = await ready.promise;
  worker.unref();
  return {
    isNew,
    get hasEnded() {
      return hasEnded;
    },
    async search(query, now) {
      const report = await ask((id) => ({ ask: "search", id, query, now }));
      return report.tell === "found" ? report.answer : { hits: [] };
    },
    async revision() {
      const report = await ask((id) => ({ ask: "revision", id }));
      return report.tell === "revision" ? report.revision : "";
    },
    async refresh() {
      const report = await ask((id) => ({ ask: "refresh", id }));
      return report.tell === "refreshed" ? report.report : undefined;
    },
    async close() {
      if (hasEnded) return;
      const exit = once(worker, "exit");
      await ask((id) => ({ ask: "close", id })).catch(() => undefined);
      await worker.terminate();
      if (!hasEnded) await exit;
    },
  };
}
