import { Validator } from "@seriousme/openapi-schema-validator";
import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { YagateError } from "@yagate/protocol";
import { chooseOperations } from "./choose-operations.ts";
import { convertOperation, type Operation } from "./convert-operation.ts";
import { DocumentReferences } from "./document-references.ts";
import { DocumentSet } from "./document-set.ts";
import { listOperations, toListed } from "./list-operations.ts";
import {
  type DocumentProblem,
  OPENAPI_LIMITS,
  type OpenApiDraft,
  type OpenApiImport,
  type OpenApiImportOptions,
  type OpenApiListing,
  type SkippedOperation,
} from "./openapi-import.ts";
import { SkipOperation } from "./skip-operation.ts";

const VALIDATOR = new Validator({ logger: false });
const MAX_PROBLEMS = 20;
const MAX_TITLE = 200;

/**
 * Creates draft tools from the operations of a document. It reads only the given texts and never waits; the code that
 * calls it must limit time and memory.
 *
 * @throws YagateError `INVALID_REQUEST` for text that is not an OpenAPI document, and for a selection without a match.
 */
export async function convertDocument(text: string, options: OpenApiImportOptions): Promise<OpenApiImport> {
  const { documents, references, skipped, chosen } = open(text, options);
  assertCount(chosen, options.maxOperations);
  assertSchemes(documents.main, options.schemes);
  const context = { document: documents.main, references, ...options, names: new Set<string>() };
  const drafts: OpenApiDraft[] = [];
  for (const operation of chosen) {
    try {
      drafts.push(await convertOperation(operation, context));
    } catch (error) {
      if (!(error instanceof SkipOperation)) throw error;
      skipped.push({ operation: operation.key, path: error.path, reason: error.message });
    }
  }
  const { main, removed } = documents;
  const problems = options.listsProblems === false ? [] : await problemsOf(main);
  return { title: titleOf(main), drafts, skipped, problems, removed };
}

/**
 * Lists the operations of a document without converting them.
 * @throws YagateError as `convertDocument` does.
 */
export function listDocument(text: string, options: OpenApiImportOptions): OpenApiListing {
  const { documents, skipped, chosen } = open(text, options);
  return { title: titleOf(documents.main), operations: chosen.map((one) => toListed(one, documents)), skipped };
}

function open(text: string, options: OpenApiImportOptions) {
  const documents = new DocumentSet(text, options);
  const references = new DocumentReferences(documents);
  const skipped: SkippedOperation[] = [];
  const all = listOperations(documents, references, skipped);
  const broken = new Set(skipped.map(({ operation }) => operation.replace(/^\S+\s+/, "")));
  return { documents, references, skipped, chosen: chooseOperations(all, options, broken) };
}

function titleOf({ info }: JsonObject): string {
  return String((isJsonObject(info) ? info["title"] : undefined) ?? "").slice(0, MAX_TITLE);
}

function assertCount(chosen: readonly Operation[], ownMaximum?: number): void {
  const maximum = ownMaximum ?? OPENAPI_LIMITS.maxOperations;
  if (chosen.length <= maximum) return;
  // A caller that sets a maximum reads the complete document.
  const advice =
    ownMaximum === undefined ? "narrow the selection with operations, tags or paths" : "split the document";
  const message = `operations: expected at most ${maximum} in one import, not ${chosen.length}: ${advice}`;
  throw new YagateError("INVALID_REQUEST", message);
}

function assertSchemes({ components }: JsonObject, schemes: readonly string[] = []): void {
  const known = isJsonObject(components) ? components["securitySchemes"] : undefined;
  const missing = schemes.filter((name) => !isJsonObject(known) || !Object.hasOwn(known, name));
  if (missing.length === 0) return;
  const named = missing.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 100)));
  throw new YagateError(
    "INVALID_REQUEST",
    `credentials: expected names of the document's security schemes; it does not contain ${named.join(", ")}`,
  );
}

/** Returns a document's violations of the official OpenAPI schema. Many documents contain harmless violations. */
async function problemsOf(document: JsonObject): Promise<readonly DocumentProblem[]> {
  const { errors } = await VALIDATOR.validate({ ...document });
  if (errors === undefined) return [];
  if (typeof errors === "string") return [{ path: "", message: errors }];
  return errors.slice(0, MAX_PROBLEMS).map(({ instancePath, message = "does not follow the specification" }) => {
    return { path: instancePath, message };
  });
}
