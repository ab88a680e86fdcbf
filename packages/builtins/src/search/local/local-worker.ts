import { parentPort, workerData } from "node:worker_threads";
import { DocumentError, type ReadDocument } from "../../web/port.ts";
import type { ReadDocumentFile } from "./documents/read-file.ts";
import { createLocalIndex } from "./index/local-index.ts";
import type { ThreadReport, ThreadRequest, ThreadTask } from "./thread-messages.ts";

/** The task of this thread, which reads the files and runs the queries of one index. */
const task: ThreadTask = workerData;
const readings = new Map<number, { resolve(document: ReadDocument): void; reject(error: Error): void }>();
let readingId = 0;

const reader: ReadDocumentFile = {
  read({ body, contentType, url }) {
    const id = ++readingId;
    const { promise, resolve, reject } = Promise.withResolvers<ReadDocument>();
    readings.set(id, { resolve, reject });
    tell({ tell: "read", id, body, contentType, url });
    return promise;
  },
};

const { hasReader, ...rest } = task;
const index = createLocalIndex({
  ...rest,
  ...(hasReader ? { reader } : {}),
  tell: (note) => tell({ tell: "note", note }),
});

parentPort?.on("message", async (request: ThreadRequest) => {
  try {
    await answer(request);
  } catch (error) {
    tell({ tell: "failed", id: request.id, reason: error instanceof Error ? error.message : "unknown" });
  }
});
tell({ tell: "ready", isNew: index.isNew });

async function answer(request: ThreadRequest): Promise<void> {
  const { id } = request;
  switch (request.ask) {
    case "search":
      return tell({ tell: "found", id, answer: index.search(request.query, request.now) });
    case "revision":
      return tell({ tell: "revision", id, revision: index.revision() });
    case "refresh":
      return tell({ tell: "refreshed", id, report: await index.refresh() });
    case "close":
      for (const { reject } of readings.values()) reject(new DocumentError("aborted", "the job was cancelled"));
      await index.close();
      return tell({ tell: "closed", id });
    case "was_read":
      readings.get(id)?.resolve(request.document);
      readings.delete(id);
      return;
    case "was_not_read":
      readings.get(id)?.reject(new DocumentError(request.isBusy ? "busy" : "unreadable", "it could not be read"));
      readings.delete(id);
  }
}

function tell(report: ThreadReport): void {
  parentPort?.postMessage(report);
}
