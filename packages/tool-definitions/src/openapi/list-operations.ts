import { isJsonObject } from "@yagate/lib/json/json-object";
import { appendPointer } from "@yagate/lib/json/json-pointer";
import { tagsOf } from "./choose-operations.ts";
import { type Operation, operationIdOf } from "./convert-operation.ts";
import type { DocumentReferences } from "./document-references.ts";
import type { DocumentSet } from "./document-set.ts";
import type { ListedOperation, SkippedOperation } from "./openapi-import.ts";
import { securityOf } from "./operation-security.ts";
import { SkipOperation } from "./skip-operation.ts";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;
const MAX_SUMMARY = 200;
const MAX_TAGS = 20;

/**
 * Lists the operations of a document, in the order of the document.
 *
 * @param skipped - receives unreadable operations.
 */
export function listOperations(
  { main }: Pick<DocumentSet, "main">,
  references: DocumentReferences,
  skipped: SkippedOperation[],
): readonly Operation[] {
  const orSkipped = <Result>(operation: string, read: () => Result): Result | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SkipOperation)) throw error;
      skipped.push({ operation, path: error.path, reason: error.message });
      return undefined;
    }
  };
  const routes = isJsonObject(main["paths"]) ? Object.entries(main["paths"]) : [];
  return routes.flatMap(([route, item]) => {
    if (!route.startsWith("/")) return [];
    const found = orSkipped(route, () => references.resolve(item, appendPointer("/paths", route)));
    if (found === undefined) return [];
    const { value: shared, path: sharedPath } = found;
    return METHODS.flatMap((method): readonly Operation[] => {
      if (!isJsonObject(shared[method])) return [];
      const key = `${method.toUpperCase()} ${route}`;
      const own = orSkipped(key, () => references.resolve(shared[method], appendPointer(sharedPath, method)));
      return own === undefined ? [] : [{ key, method: method.toUpperCase(), route, ...own, shared, sharedPath }];
    });
  });
}

/** Returns the summary of an operation for a list from which a person selects. */
export function toListed(operation: Operation, { main }: Pick<DocumentSet, "main">): ListedOperation {
  const { summary, description, deprecated, security } = operation.value;
  const [text] = [summary, description].filter((one) => typeof one === "string" && one.trim() !== "");
  return {
    operation: operation.key,
    operationId: operationIdOf(operation.value),
    summary: typeof text === "string" ? text.trim().slice(0, MAX_SUMMARY) : null,
    tags: tagsOf(operation).slice(0, MAX_TAGS),
    isDeprecated: deprecated === true,
    security: securityOf(security ?? main["security"]),
  };
}
