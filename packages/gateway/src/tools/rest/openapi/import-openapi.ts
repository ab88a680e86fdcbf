import { Worker } from "node:worker_threads";
import { type ErrorCode, YagateError } from "@yagate/protocol";
import { createImportQueue } from "./import-queue.ts";
import { OPENAPI_LIMITS, type OpenApiImport, type OpenApiImportOptions } from "./openapi-import.ts";

/** What the worker is given. */
export interface ImportRequest {
  readonly text: string;
  readonly options: OpenApiImportOptions;
}

/** What it answers. */
export type ImportAnswer = OpenApiImport | { readonly code: ErrorCode; readonly message: string };

/** The worker's file: beside this one in the sources, beside the bundle in the package. */
const WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./import-worker.ts" : "./openapi-import-worker.js",
  import.meta.url,
);

/** Of this process: threads share its memory. */
const QUEUE = createImportQueue(OPENAPI_LIMITS);

/**
 * Makes draft REST tools of an OpenAPI 3.0 or 3.1 document. References are followed inside of the document only; the
 * work is done in a thread of its own, one import after the other, with bounds on its time and memory, and nothing is
 * sent or saved.
 *
 * @param document - its text, JSON or YAML, or what was parsed from it.
 * @param limits - ms and megabytes, for tests; those of `OPENAPI_LIMITS` otherwise.
 * @throws YagateError `INVALID_REQUEST` for what is no such document, is too large or takes too long, and for
 *   operations that it has not; `UNAVAILABLE` while too many others wait.
 */
export async function importOpenApi(
  document: unknown,
  options: OpenApiImportOptions = {},
  limits: { readonly timeoutMs: number; readonly memoryMegabytes: number } = OPENAPI_LIMITS,
): Promise<OpenApiImport> {
  const text = typeof document === "string" ? document : toText(document);
  if (text.length > OPENAPI_LIMITS.maxCharacters) {
    throw invalid(`expected a document of at most ${OPENAPI_LIMITS.maxCharacters} characters`);
  }
  const answer = await QUEUE.run(text.length, () => inWorker({ text, options }, limits));
  if ("code" in answer) throw new YagateError(answer.code, answer.message);
  return answer;
}

function toText(document: unknown): string {
  try {
    return JSON.stringify(document) ?? "";
  } catch (cause) {
    throw invalid("expected a document that is plain JSON, without circles and not too deep", cause);
  }
}

function inWorker(
  workerData: ImportRequest,
  { timeoutMs, memoryMegabytes }: { readonly timeoutMs: number; readonly memoryMegabytes: number },
): Promise<ImportAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ImportAnswer>();
  const worker = new Worker(WORKER, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes, stackSizeMb: 4 },
  });
  const timer = setTimeout(
    () => reject(invalid("expected a document that can be read in time: import less of it")),
    timeoutMs,
  );
  worker.once("message", resolve);
  worker.once("error", (cause: unknown) => reject(toError(cause)));
  worker.once("exit", () => reject(new YagateError("INTERNAL", "expected the import to end with an answer")));
  return promise.finally(async () => {
    clearTimeout(timer);
    await worker.terminate();
  });
}

function toError(cause: unknown): YagateError {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ERR_WORKER_OUT_OF_MEMORY" || cause instanceof RangeError) {
    return invalid("expected a document that fits into memory: import less of it", cause);
  }
  return new YagateError("INTERNAL", "the document could not be imported", { cause });
}

function invalid(message: string, cause?: unknown): YagateError {
  return new YagateError("INVALID_REQUEST", message, { cause });
}
