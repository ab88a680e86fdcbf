import { defined } from "@yagate/lib/objects/defined";
import { IsolationError } from "@yagate/lib/workers/isolation-error";
import { createWorkerPool } from "@yagate/lib/workers/worker-pool";
import { DocumentError, type DocumentReader } from "../port.ts";
import type { ReadReport, ReadRequest } from "./read-document.ts";

/** The worker's file: next to this file in the sources, next to the bundle in the package. */
const WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./reader-worker.ts" : "./document-reader-worker.js",
  import.meta.url,
);

const DEFAULT_MAX_CHARACTERS = 2_097_152;

export interface DocumentReaderOptions {
  /** Maximum size of a document; default 16 MiB. */
  readonly maxBytes?: number;
  /** Time limit per document, in ms; default 15,000. */
  readonly timeoutMs?: number;
  /** Maximum heap size per document, in MiB; default 512. */
  readonly memoryMegabytes?: number;
  /** Number of documents that are read concurrently; default 2. */
  readonly maxRunning?: number;
  /** Maximum time that a document waits in the queue, in ms; default 30,000. */
  readonly maxWaitMs?: number;
}

/**
 * Creates a reader that reads documents in worker threads with limits on time and memory. An exceeded limit is reported
 * as a `DocumentError`.
 */
export function createDocumentReader(options: DocumentReaderOptions = {}): DocumentReader {
  const { maxBytes = 16 * 1_024 * 1_024, timeoutMs = 15_000, memoryMegabytes = 512 } = options;
  const { maxRunning = 2, maxWaitMs = 30_000 } = options;
  const pool = createWorkerPool<ReadRequest, ReadReport>({
    file: WORKER,
    memoryMegabytes,
    maxRunning,
    maxWaiting: 64,
    maxWaitingCharacters: 8 * maxBytes,
    maxWaitMs,
  });

  return {
    async read({ body, contentType, url }, { maxCharacters = DEFAULT_MAX_CHARACTERS, owner, signal } = {}) {
      if (body.byteLength > maxBytes) {
        throw new DocumentError("limit", `it has ${body.byteLength} bytes; the maximum is ${maxBytes} bytes`);
      }
      const job = {
        timeoutMs,
        characters: body.byteLength,
        ...defined({ owner, signal }),
      };
      const report = await pool.run({ body, contentType, url, maxCharacters }, job).catch((error: unknown) => {
        throw toDocumentError(error);
      });
      if ("document" in report) return report.document;
      throw new DocumentError(report.reason, report.message);
    },
    close: () => pool.close(),
  };
}

function toDocumentError(error: unknown): unknown {
  if (!(error instanceof IsolationError)) return error;
  const options = { cause: error };
  switch (error.reason) {
    case "time":
      return new DocumentError("limit", "reading it exceeds the time limit", options);
    case "memory":
      return new DocumentError("limit", "reading it exceeds the memory limit", options);
    case "depth":
      return new DocumentError("limit", "it is nested too deeply", options);
    case "busy":
      return new DocumentError("busy", "too many other documents are being read: try again in a minute", options);
    case "aborted":
      return new DocumentError("aborted", "the job was cancelled", options);
  }
}
