import { defined } from "@yagate/lib/objects/defined";
import { IsolationError } from "@yagate/lib/workers/isolation-error";
import { createWorkerPool } from "@yagate/lib/workers/worker-pool";
import { YagateError } from "@yagate/protocol";
import {
  OPENAPI_LIMITS,
  type OpenApiImport,
  type OpenApiImportOptions,
  type OpenApiListing,
} from "./openapi-import.ts";

/** A job for the worker. */
export interface ImportRequest {
  readonly text: string;
  readonly options: OpenApiImportOptions;
  /** Whether to list the operations without converting them. */
  readonly isListing: boolean;
}

/** The result of the worker, depending on the job. */
export type ImportResult = { readonly listing: OpenApiListing } | { readonly imported: OpenApiImport };

/** Options for reading documents. Further documents may be texts or parsed objects. */
export interface OpenApiReadingOptions extends Omit<OpenApiImportOptions, "documents"> {
  readonly documents?: Readonly<Record<string, unknown>> | undefined;
  /** The workspace that the documents belong to. Workspaces take turns; none can block the others. */
  readonly owner?: string | undefined;
  /** Ends the import. It then fails with `INVALID_REQUEST`, or with `UNAVAILABLE` if it has not started yet. */
  readonly signal?: AbortSignal | undefined;
}

/** The file of the worker. It is next to this file in the sources, and next to the bundle in the package. */
const WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./import-worker.ts" : "./openapi-import-worker.js",
  import.meta.url,
);

/**
 * Reads OpenAPI 3.0 and 3.1 documents. It follows references only within the given documents. Imports run one after the
 * other, each in a separate thread with limits on time and memory; they send and save nothing. A document is text (JSON
 * or YAML) or a parsed object.
 *
 * Both methods throw YagateError `INVALID_REQUEST` for an invalid document, for one that is too large or takes too
 * long, and for a selection without a match; `UNAVAILABLE` if too many imports are waiting, or if the import
 * ended while it was waiting.
 */
export interface OpenApiReader {
  /** Creates draft REST tools from the selected operations. */
  import(document: unknown, options?: OpenApiReadingOptions): Promise<OpenApiImport>;
  /** Lists the selected operations. */
  list(document: unknown, options?: OpenApiReadingOptions): Promise<OpenApiListing>;
}

/** The reader of this process. Its threads use the memory of the process. */
export const openApiReader = createOpenApiReader();

/**
 * Creates a reader.
 * @param limits - values that override those of `OPENAPI_LIMITS`.
 */
export function createOpenApiReader(
  limits: { readonly timeoutMs?: number; readonly memoryMegabytes?: number } = {},
): OpenApiReader {
  const { maxCharacters, timeoutMs, ...ofPool } = { ...OPENAPI_LIMITS, ...limits };
  // Each import runs in a separate thread, because it may need as much memory as the rest of the process.
  const pool = createWorkerPool<ImportRequest, ImportResult>({ ...ofPool, file: WORKER, maxJobsPerWorker: 1 });

  async function read(document: unknown, reading: OpenApiReadingOptions, isListing: boolean) {
    const { documents = {}, owner, signal, ...options } = reading;
    const text = toText(document);
    const others = Object.entries(documents).map(([name, other]) => [name, toText(other)] as const);
    const characters = others.reduce((sum, [, other]) => sum + other.length, text.length);
    if (characters > maxCharacters) throw invalid(`expected at most ${maxCharacters} characters of documents`);
    try {
      const request = { text, options: { ...options, documents: Object.fromEntries(others) }, isListing };
      return await pool.run(request, { timeoutMs, characters, ...defined({ owner, signal }) });
    } catch (error) {
      throw toRefusal(error);
    }
  }

  return {
    async import(document, options = {}) {
      const result = await read(document, options, false);
      if ("imported" in result) return result.imported;
      throw new YagateError("INTERNAL", "expected drafts from the import thread");
    },
    async list(document, options = {}) {
      const result = await read(document, options, true);
      if ("listing" in result) return result.listing;
      throw new YagateError("INTERNAL", "expected a list from the import thread");
    },
  };
}

function toText(document: unknown): string {
  if (typeof document === "string") return document;
  try {
    return JSON.stringify(document) ?? "";
  } catch (cause) {
    throw invalid("expected a plain JSON document without cycles or excessive depth", cause);
  }
}

function toRefusal(error: unknown): unknown {
  if (!(error instanceof IsolationError)) return error;
  if (error.isUnstarted) {
    const hint = "import the document again in a minute";
    return new YagateError("UNAVAILABLE", `OpenAPI documents are imported one by one, and ${error.message}`, { hint });
  }
  return error.reason === "time" || error.reason === "aborted"
    ? invalid("expected a document that can be processed in time: split it", error)
    : invalid("expected a document that fits into memory: split it", error);
}

function invalid(message: string, cause?: unknown): YagateError {
  return new YagateError("INVALID_REQUEST", message, { cause });
}
