import { isJsonObject, isObject, type JsonObject } from "@yagate/lib/json/json-object";
import { appendPointer } from "@yagate/lib/json/json-pointer";
import { YagateError } from "@yagate/protocol";
import { parse } from "yaml";
import { OPENAPI_LIMITS } from "./openapi-import.ts";
import { scanJson } from "./scan-json.ts";

/**
 * Parses the text of an OpenAPI document in JSON or YAML.
 *
 * @throws YagateError `INVALID_REQUEST` for invalid or oversized text, and for a document that is not OpenAPI 3.0 or
 *   3.1.
 */
export function readDocument(text: string, budget: ReadingBudget): JsonObject {
  const document = parseText(text, budget);
  if (!isJsonObject(document)) throw invalid("expected an OpenAPI document: an object with openapi and paths");
  checkSize(document, budget);
  const { swagger, openapi, paths } = document;
  if (swagger !== undefined) {
    throw invalid("/swagger: expected OpenAPI 3.0 or 3.1, not Swagger 2.0: convert the document first");
  }
  if (typeof openapi !== "string")
    throw invalid("/openapi: expected an OpenAPI document with its version, such as 3.1.0");
  if (!/^3\.[01]\./.test(openapi)) throw invalid("/openapi: expected version 3.0 or 3.1");
  if (!isJsonObject(paths)) throw invalid("/paths: expected an object with the operations");
  return document;
}

/**
 * Parses a document to which another one refers.
 *
 * @throws YagateError `INVALID_REQUEST` for text that is not an object in JSON or YAML, and for text that is too large.
 */
export function readPart(text: string, budget: ReadingBudget): JsonObject {
  const document = parseText(text, budget);
  if (!isJsonObject(document)) throw invalid("expected a document with an object at its root");
  checkSize(document, budget);
  return document;
}

/** What is left of the size limits for all documents of an import. */
export interface ReadingBudget {
  values: number;
  yamlCharacters: number;
}

export function createReadingBudget(): ReadingBudget {
  return { values: OPENAPI_LIMITS.maxNodes, yamlCharacters: OPENAPI_LIMITS.maxYamlCharacters };
}

function parseText(given: string, budget: ReadingBudget): unknown {
  // Some editors and generators write a byte order mark at the start.
  const text = given.replace(/^\uFEFF/, "");
  if (/^\s*[[{]/.test(text)) return parseJson(text);
  const { maxYamlCharacters } = OPENAPI_LIMITS;
  budget.yamlCharacters -= text.length;
  if (budget.yamlCharacters < 0) {
    throw invalid(`expected at most ${maxYamlCharacters} characters of YAML: convert the document to JSON`);
  }
  try {
    return parse(text, { maxAliasCount: 100, prettyErrors: false, logLevel: "error", stringKeys: true, merge: true });
  } catch (cause) {
    const message =
      cause instanceof ReferenceError
        ? "expected YAML without aliases that multiply its size"
        : "expected a document that is valid JSON or YAML";
    throw invalid(message, cause);
  }
}

function parseJson(text: string): unknown {
  const { maxNodes, maxDepth } = OPENAPI_LIMITS;
  const { values, depth } = scanJson(text);
  // Doubled, because the scan counts one value too many for each empty list. The exact count follows.
  if (values > 2 * maxNodes) throw invalid(`expected a document of at most ${maxNodes} values`);
  if (depth > 2 * maxDepth) throw invalid(`expected at most ${maxDepth} levels of nesting`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid("expected a document that is valid JSON or YAML", cause);
  }
}

/**
 * Checks the size of a document. It does not recurse, so that the depth can't overflow the stack; later code may
 * recurse.
 */
function checkSize(document: JsonObject, budget: ReadingBudget): void {
  const { maxNodes, maxDepth } = OPENAPI_LIMITS;
  const pending: { readonly value: object; readonly path: string; readonly depth: number }[] = [
    { value: document, path: "", depth: 1 },
  ];
  budget.values -= 1;
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (place.depth > maxDepth) throw invalid(`${place.path}: expected at most ${maxDepth} levels of nesting`);
    budget.values -= Array.isArray(place.value) ? place.value.length : Object.keys(place.value).length;
    if (budget.values < 0) throw invalid(`${place.path}: expected a document of at most ${maxNodes} values`);
    for (const [key, value] of Object.entries(place.value)) {
      if (!isObject(value)) continue;
      pending.push({ value, path: appendPointer(place.path, key), depth: place.depth + 1 });
    }
  }
}

function invalid(message: string, cause?: unknown): YagateError {
  return new YagateError("INVALID_REQUEST", message, { cause });
}
