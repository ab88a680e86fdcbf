import { YagateError } from "@yagate/protocol";
import { IsolationError } from "../../../isolation/isolation-error.ts";
import { createWorkerPool } from "../../../isolation/worker-pool.ts";
import { OPENAPI_LIMITS, type OpenApiImport, type OpenApiImportOptions } from "./openapi-import.ts";

/** What the worker is given. */
export interface ImportRequest {
  readonly text: string;
  readonly options: OpenApiImportOptions;
}

/** The worker's file: beside this one in the sources, beside the bundle in the package. */
const WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./import-worker.ts" : "./openapi-import-worker.js",
  import.meta.url,
);

/**
 * Makes draft REST tools of an OpenAPI 3.0 or 3.1 document. References are followed inside of the document only; the
 * work is done in a thread of its own, one import after the other, with bounds on its time and memory, and nothing is
 * sent or saved.
 *
 * @param document - its text, JSON or YAML, or what was parsed from it.
 * @throws YagateError `INVALID_REQUEST` for what is no such document, is too large or takes too long, and for
 *   operations that it has not; `UNAVAILABLE` while too many others wait.
 */
export type ImportOpenApi = (document: unknown, options?: OpenApiImportOptions) => Promise<OpenApiImport>;

/** The import of this process: threads share its memory. */
export const importOpenApi = createOpenApiImport();

/** @param limits - over those of `OPENAPI_LIMITS`. */
export function createOpenApiImport(
  limits: { readonly timeoutMs?: number; readonly memoryMegabytes?: number } = {},
): ImportOpenApi {
  const { maxCharacters, timeoutMs, ...ofPool } = { ...OPENAPI_LIMITS, ...limits };
  // Each import gets a thread of its own: it may take as much memory as the rest of the process.
  const pool = createWorkerPool<ImportRequest, OpenApiImport>({ ...ofPool, file: WORKER, maxJobsPerWorker: 1 });
  return async (document, options = {}) => {
    const text = typeof document === "string" ? document : toText(document);
    if (text.length > maxCharacters) throw invalid(`expected a document of at most ${maxCharacters} characters`);
    try {
      return await pool.run({ text, options }, { timeoutMs, characters: text.length });
    } catch (error) {
      throw toRefusal(error);
    }
  };
}

function toText(document: unknown): string {
  try {
    return JSON.stringify(document) ?? "";
  } catch (cause) {
    throw invalid("expected a document that is plain JSON, without circles and not too deep", cause);
  }
}

function toRefusal(error: unknown): unknown {
  if (!(error instanceof IsolationError)) return error;
  if (error.reason === "busy") {
    const hint = "import the document again in a minute";
    return new YagateError("UNAVAILABLE", `OpenAPI documents are imported one by one, and ${error.message}`, { hint });
  }
  return error.reason === "time"
    ? invalid("expected a document that can be read in time: import less of it", error)
    : invalid("expected a document that fits into memory: import less of it", error);
}

function invalid(message: string, cause?: unknown): YagateError {
  return new YagateError("INVALID_REQUEST", message, { cause });
}
