import { Validator } from "@seriousme/openapi-schema-validator";
import { YagateError } from "@yagate/protocol";
import { isJsonObject, type JsonObject } from "../../arguments/json-object.ts";
import { appendPointer } from "../../arguments/json-pointer.ts";
import { cleanDocument } from "./clean-document.ts";
import { convertOperation, type Operation } from "./convert-operation.ts";
import { DocumentReferences } from "./document-references.ts";
import {
  type DocumentProblem,
  OPENAPI_LIMITS,
  type OpenApiDraft,
  type OpenApiImport,
  type OpenApiImportOptions,
  type SkippedOperation,
} from "./openapi-import.ts";
import { readDocument } from "./read-document.ts";
import { SkipOperation } from "./skip-operation.ts";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;
const VALIDATOR = new Validator({ logger: false });
const MAX_PROBLEMS = 20;
const MAX_NAMED = 5;

/**
 * Makes drafts of the operations of a document. It neither waits for anything nor reads anything but the text; how much
 * time and memory that may take is for the caller to bound.
 *
 * @throws YagateError `INVALID_REQUEST` for text that is no such document, and for operations that it has not.
 */
export async function convertDocument(text: string, options: OpenApiImportOptions): Promise<OpenApiImport> {
  const { document, removed } = cleanDocument(readDocument(text));
  const references = new DocumentReferences(document);
  const skipped: SkippedOperation[] = [];
  const chosen = choose(listOperations(document, references, skipped), options.operations, skipped);
  const context = { document, references, server: options.server, names: new Set<string>() };
  const drafts: OpenApiDraft[] = [];
  for (const operation of chosen) {
    try {
      drafts.push(await convertOperation(operation, context));
    } catch (error) {
      if (!(error instanceof SkipOperation)) throw error;
      skipped.push({ operation: operation.key, path: error.path, reason: error.message });
    }
  }
  const info = isJsonObject(document["info"]) ? document["info"] : {};
  const title = String(info["title"] ?? "").slice(0, 200);
  return { title, drafts, skipped, problems: await problemsOf(document), removed };
}

function listOperations(
  document: JsonObject,
  references: DocumentReferences,
  skipped: SkippedOperation[],
): readonly Operation[] {
  const routes = isJsonObject(document["paths"]) ? Object.entries(document["paths"]) : [];
  return routes.flatMap(([route, item]) => {
    const at = appendPointer("/paths", route);
    if (!route.startsWith("/")) return [];
    try {
      const { value: shared, path: sharedPath } = references.resolve(item, at);
      return METHODS.flatMap((method): readonly Operation[] => {
        const value = shared[method];
        const key = `${method.toUpperCase()} ${route}`;
        const path = appendPointer(sharedPath, method);
        if (!isJsonObject(value)) return [];
        return [{ key, method: method.toUpperCase(), route, path, value, shared, sharedPath }];
      });
    } catch (error) {
      if (!(error instanceof SkipOperation)) throw error;
      skipped.push({ operation: route, path: error.path, reason: error.message });
      return [];
    }
  });
}

function choose(
  all: readonly Operation[],
  wanted: readonly string[] | undefined,
  skipped: SkippedOperation[],
): readonly Operation[] {
  const { maxOperations } = OPENAPI_LIMITS;
  const isMeant = ({ key, value }: Operation, name: string) =>
    value["operationId"] === name || key === upperMethod(name);
  const chosen = wanted === undefined ? all : all.filter((one) => wanted.some((name) => isMeant(one, name)));
  if (wanted !== undefined) {
    const broken = new Set(skipped.map(({ operation }) => operation));
    const missing = wanted.filter(
      (name) => !chosen.some((one) => isMeant(one, name)) && !broken.has(name.replace(/^\S+\s+/, "")),
    );
    if (missing.length > 0) {
      const named = missing.slice(0, MAX_NAMED).map((name) => JSON.stringify(name.slice(0, 100)));
      const rest = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : "";
      throw new YagateError(
        "INVALID_REQUEST",
        `operations: expected operations of the document; it has no ${named.join(", ")}${rest}`,
      );
    }
  }
  if (chosen.length > maxOperations) {
    const message = `operations: expected at most ${maxOperations} at once, not ${chosen.length}: name those that are needed`;
    throw new YagateError("INVALID_REQUEST", message);
  }
  return chosen;
}

function upperMethod(name: string): string {
  return name.trim().replace(/^\S+/, (method) => method.toUpperCase());
}

/** What the official schema of OpenAPI says. Many documents break it in places that do no harm. */
async function problemsOf(document: JsonObject): Promise<readonly DocumentProblem[]> {
  const { errors } = await VALIDATOR.validate({ ...document });
  if (errors === undefined) return [];
  if (typeof errors === "string") return [{ path: "", message: errors }];
  return errors.slice(0, MAX_PROBLEMS).map(({ instancePath, message = "is not as the specification has it" }) => {
    return { path: instancePath, message };
  });
}
