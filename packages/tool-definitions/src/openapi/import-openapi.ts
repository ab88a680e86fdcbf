import { IsolationError } from "@yagate/lib/workers/isolation-error";
import { createWorkerPool } from "@yagate/lib/workers/worker-pool";
import { YagateError } from "@yagate/protocol";
import {
  OPENAPI_LIMITS,
  type OpenApiImport,
  type OpenApiImportOptions,
  type OpenApiListing,
} from "./openapi-import.ts";

/** What the worker is given. */
export interface ImportRequest {
  readonly text: string;
  readonly options: OpenApiImportOptions;
  /** The operations are only listed. */
  readonly isListing: boolean;
}

/** One of both, as the request says. */
export type ImportAnswer = { readonly listing: OpenApiListing } | { readonly imported: OpenApiImport };

/** Further documents as texts or as what was parsed of them. */
export interface OpenApiReadingOptions extends Omit<OpenApiImportOptions, "documents"> {
  readonly documents?: Readonly<Record<string, unknown>> | undefined;
}

/** The worker's file: beside this one in the sources, beside the bundle in the package. */
const WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./import-worker.ts" : "./openapi-import-worker.js",
  import.meta.url,
);

/**
 * Reads OpenAPI 3.0 and 3.1 documents. References are followed inside of the documents that are given only; the work is
 * done in a thread of its own, one document after the other, with bounds on its time and memory, and nothing is sent or
 * saved. A document is its text, JSON or YAML, or what was parsed from it.
 *
 * Both throw YagateError `INVALID_REQUEST` for what is no such document, is too large or takes too long, and for a
 * selection that it has not; `UNAVAILABLE` while too many others wait.
 */
export interface OpenApiReader {
  /** Makes draft REST tools of the chosen operations. */
  import(document: unknown, options?: OpenApiReadingOptions): Promise<OpenApiImport>;
  /** Lists the chosen operations, however many. */
  list(document: unknown, options?: OpenApiReadingOptions): Promise<OpenApiListing>;
}

/** The reader of this process: threads share its memory. */
export const openApiReader = createOpenApiReader();

/** @param limits - over those of `OPENAPI_LIMITS`. */
export function createOpenApiReader(
  limits: { readonly timeoutMs?: number; readonly memoryMegabytes?: number } = {},
): OpenApiReader {
  const { maxCharacters, timeoutMs, ...ofPool } = { ...OPENAPI_LIMITS, ...limits };
  // Each import gets a thread of its own: it may take as much memory as the rest of the process.
  const pool = createWorkerPool<ImportRequest, ImportAnswer>({ ...ofPool, file: WORKER, maxJobsPerWorker: 1 });

  async function read(document: unknown, { documents = {}, ...options }: OpenApiReadingOptions, isListing: boolean) {
    const text = toText(document);
    const others = Object.entries(documents).map(([name, other]) => [name, toText(other)] as const);
    const characters = others.reduce((sum, [, other]) => sum + other.length, text.length);
    if (characters > maxCharacters) throw invalid(`expected at most ${maxCharacters} characters of documents`);
    try {
      const request = { text, options: { ...options, documents: Object.fromEntries(others) }, isListing };
      return await pool.run(request, { timeoutMs, characters });
    } catch (error) {
      throw toRefusal(error);
    }
  }

  return {
    async import(document, options = {}) {
      const answer = await read(document, options, false);
      if ("imported" in answer) return answer.imported;
      throw new YagateError("INTERNAL", "expected drafts of the import's thread");
    },
    async list(document, options = {}) {
      const answer = await read(document, options, true);
      if ("listing" in answer) return answer.listing;
      throw new YagateError("INTERNAL", "expected a list of the import's thread");
    },
  };
}

function toText(document: unknown): string {
  if (typeof document === "string") return document;
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
