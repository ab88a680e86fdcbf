import { createHash } from "node:crypto";
import { defined } from "@yagate/lib/objects/defined";
import {
  MAX_TOOLS_PER_SOURCE,
  type OpenApiSourceSettings,
  type RestDefinition,
  type SkippedTool,
  type SourceDocument,
  YagateError,
} from "@yagate/protocol";
import type { ToolSourceStore } from "@yagate/store/port";
import type { OpenApiReader, OpenApiReadingOptions } from "@yagate/tool-definitions/openapi/import-openapi";
import type { OpenApiDraft } from "@yagate/tool-definitions/openapi/openapi-import";
import { restSideEffect } from "@yagate/tool-definitions/rest/rest-side-effect";
import { nameOperations, type OperationIdentity } from "@yagate/tool-sources/name-operations";
import { createNameFilter } from "@yagate/tool-sources/name-patterns";
import type { RawOperation } from "@yagate/tool-sources/port";
import { separateUnusable } from "../check-tools.ts";
import type { FetchDefinitions, SourceOfKind } from "../port.ts";
import { toSkippedTools } from "../skipped-tools.ts";
import type { Upload } from "../source-settings.ts";
import { type DocumentSummary, parseSummary } from "./document-summary.ts";
import type { createFetchDocument } from "./fetch-document.ts";

/** Maximum number of operations in a document, of which a source takes at most `MAX_TOOLS_PER_SOURCE`. */
const MAX_OPERATIONS = 4_000;
/** Maximum number of places with removed characters that a source shows. */
const MAX_PLACES = 100;

export interface ReadOpenApiOptions {
  readonly store: Pick<ToolSourceStore, "document" | "documentSummary">;
  readonly fetchDocument: ReturnType<typeof createFetchDocument>;
  readonly reader: Pick<OpenApiReader, "import">;
}

/** A document, ready to be read. */
interface Text extends Pick<OpenApiReadingOptions, "documents" | "documentName"> {
  readonly document: unknown;
  readonly hash: string;
}

/**
 * Creates the function that reads the tools of an OpenAPI document. An operation that cannot become a tool is left out
 * and reported; a document that exceeds a limit fails.
 */
export function createReadOpenApi({ store, fetchDocument, reader }: ReadOpenApiOptions): FetchDefinitions<"openapi"> {
  async function textOf(
    sourceId: string,
    workspaceId: string,
    { url, auth, documentHash }: OpenApiSourceSettings,
    signal: AbortSignal,
  ): Promise<Text> {
    if (url !== null) {
      const { bytes, redaction } = await fetchDocument(workspaceId, { url, auth }, signal);
      // The names of tools are derived from texts of the document, so a credential is removed before it is read.
      return { document: await redaction.body(decode(bytes), { isCut: false }), hash: hashOf(bytes) };
    }
    const upload = (await store.document(sourceId))?.upload;
    if (typeof upload !== "string" || documentHash === null) {
      throw new YagateError("INTERNAL", "expected the uploaded document of the source");
    }
    // The gateway wrote the upload itself.
    const { document, documents, documentName }: Upload = JSON.parse(upload);
    return { document, ...defined({ documents, documentName }), hash: documentHash };
  }

  async function read(
    { workspaceId, settings }: SourceOfKind<"openapi">,
    { document, documents, documentName }: Text,
    signal: AbortSignal,
  ) {
    const { url, server, credentials } = settings;
    const base = server ?? (url === null ? undefined : new URL("/", url).href);
    const given = { documents, documentName, server: base, schemes: Object.keys(credentials), signal };
    const options = { ...defined(given), maxOperations: MAX_OPERATIONS, listsProblems: false, owner: workspaceId };
    try {
      return await reader.import(document, options);
    } catch (error) {
      // The reader was busy with other documents, which says nothing about this one.
      if (YagateError.is(error) && error.code === "UNAVAILABLE") throw error;
      if (signal.aborted) {
        const message = "the OpenAPI document could not be read in time";
        throw new YagateError("SOURCE_UNREACHABLE", message, { cause: error });
      }
      if (!YagateError.is(error) || error.code !== "INVALID_REQUEST") throw error;
      throw documentInvalid(error.message, error);
    }
  }

  return async (source, { signal }) => {
    const { id, workspaceId, settings } = source;
    const text = await textOf(id, workspaceId, settings, signal);
    const { title, drafts, skipped, removed } = await read(source, text, signal);
    const earlier = new Map(Object.entries(parseSummary(await store.documentSummary(id))?.operations ?? {}));
    const { names, known } = nameOperations(
      drafts.map(({ operation, operationId, definition: { name } }) => ({
        operation,
        operationId,
        proposedName: name,
      })),
      earlier,
    );
    const isTaken = createNameFilter(settings);
    const taken = drafts
      .map((draft, index) => toRawOperation(draft, names[index] ?? draft.definition.name))
      .filter(({ name }) => isTaken(name));
    if (taken.length > MAX_TOOLS_PER_SOURCE) throw tooManyOperations(taken.length);
    const { usable, skipped: unusable } = await separateUnusable(taken);
    const left = [
      ...skipped.map(({ operation, path, reason }) => ({ name: operation, reason: `${path}: ${reason}` })),
      ...unusable,
    ];
    if (drafts.length === 0 || (taken.length > 0 && usable.length === 0)) throw noOperation(left);
    const document: SourceDocument = {
      ...{ title, hash: text.hash, skippedCount: left.length },
      removed: removed
        .slice(0, MAX_PLACES)
        .map(({ path, codePoints, count }) => ({ path, codePoints: [...codePoints], count })),
    };
    return {
      definitions: usable,
      skippedTools: toSkippedTools(left),
      documentSummary: JSON.stringify(toSummary(document, known)),
      info: { revision: title },
    };
  };
}

function toSummary(document: SourceDocument, known: ReadonlyMap<string, OperationIdentity>): DocumentSummary {
  return { document, operations: Object.fromEntries(known) };
}

function toRawOperation({ definition, auth, security }: OpenApiDraft, name: string): RawOperation {
  const sideEffect = restSideEffect(definition) ?? undefined;
  const rest: RestDefinition = { ...definition, name, ...defined({ sideEffect }) };
  return { name, rest, scheme: auth?.scheme ?? null, security };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw documentInvalid("expected text in UTF-8", cause);
  }
}

function hashOf(content: Uint8Array): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

function tooManyOperations(count: number): YagateError {
  const message = `the OpenAPI document: expected at most ${MAX_TOOLS_PER_SOURCE} operations for one source, not ${count}`;
  return new YagateError("MANIFEST_INVALID", message, {
    hint: "select operations with include or exclude; the accepted definitions stay in use",
  });
}

function noOperation([first]: readonly SkippedTool[]): YagateError {
  const reason = first === undefined ? "it has no operations" : `${first.name}: ${first.reason}`;
  return documentInvalid(`expected at least one operation that can become a tool; ${reason}`);
}

function documentInvalid(fault: string, cause?: unknown): YagateError {
  return new YagateError("MANIFEST_INVALID", `the OpenAPI document: ${fault}`, {
    cause,
    hint: "correct the document; the accepted definitions stay in use",
  });
}
