import { createWildcard } from "@yagate/lib/text/wildcard";
import { YagateError } from "@yagate/protocol";
import type { Operation } from "./convert-operation.ts";
import type { OperationSelection } from "./openapi-import.ts";

const MAX_NAMED = 5;

/**
 * Selects the operations that match at least one entry of every given list.
 *
 * @param broken - paths of the API whose operations can't be read.
 * @throws YagateError `INVALID_REQUEST` for an entry that no operation matches.
 */
export function chooseOperations(
  all: readonly Operation[],
  { operations, tags, paths }: OperationSelection,
  broken: ReadonlySet<string>,
): readonly Operation[] {
  const byName = narrowed(all, operations, {
    what: "operations",
    matcher: (name) => {
      const key = name.trim().replace(/^\S+/, (method) => method.toUpperCase());
      return (operation) => operation.value["operationId"] === name || operation.key === key;
    },
    isExcused: (name) => broken.has(name.replace(/^\S+\s+/, "")),
  });
  const byTag = narrowed(byName, tags, {
    what: "tags",
    matcher: (tag) => (operation) => tagsOf(operation).includes(tag),
    among: all,
    // An unreadable path may have any tag.
    isExcused: () => broken.size > 0,
  });
  const matcher = (pattern: string) => {
    const matches = createWildcard(pattern);
    return ({ route }: Operation) => matches(route);
  };
  const isExcused = (pattern: string) => [...broken].some(createWildcard(pattern));
  return narrowed(byTag, paths, { what: "paths", matcher, among: all, isExcused });
}

/** Returns the tags of an operation that are strings. */
export function tagsOf({ value: { tags } }: Pick<Operation, "value">): readonly string[] {
  return (Array.isArray(tags) ? tags : []).filter((tag) => typeof tag === "string" && tag !== "");
}

interface Narrowing {
  readonly what: "operations" | "tags" | "paths";
  readonly matcher: (entry: string) => (operation: Operation) => boolean;
  /** An entry that matches none of these operations is an error. Default: the operations from which to select. */
  readonly among?: readonly Operation[];
  readonly isExcused?: (entry: string) => boolean;
}

function narrowed(
  operations: readonly Operation[],
  entries: readonly string[] | undefined,
  { what, matcher, among = operations, isExcused = () => false }: Narrowing,
): readonly Operation[] {
  if (entries === undefined) return operations;
  const matchers = entries.map(matcher);
  const missing = entries.filter((entry, index) => {
    const matches = matchers[index];
    return matches !== undefined && !among.some(matches) && !isExcused(entry);
  });
  if (missing.length > 0) {
    const named = missing.slice(0, MAX_NAMED).map((name) => JSON.stringify(name.slice(0, 100)));
    const rest = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : "";
    throw new YagateError(
      "INVALID_REQUEST",
      `${what}: expected ${what} of the document; it does not contain ${named.join(", ")}${rest}`,
    );
  }
  return operations.filter((operation) => matchers.some((matches) => matches(operation)));
}
