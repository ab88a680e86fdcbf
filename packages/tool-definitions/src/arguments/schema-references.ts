import { appendPointer, parsePointer } from "@yagate/lib/json/json-pointer";
import { SCHEMA_LIMITS } from "@yagate/lib/json-schema/limits";
import type { SchemaIssue } from "./schema-issue.ts";
import type { SchemaNode } from "./schema-nodes.ts";

type Nodes = ReadonlyMap<string, SchemaNode>;

/**
 * Checks every `$ref` of a document: it must point to a schema in the same document, and no chain of references may be
 * endless. Recursion into a property or an item is allowed, because it ends where the data ends.
 */
export function checkReferences(nodes: Nodes): readonly SchemaIssue[] {
  const issues: SchemaIssue[] = [];
  const anchors = collectAnchors(nodes, issues);
  const targets = new Map<string, string>();
  for (const { path, keywords } of nodes.values()) {
    const reference = keywords["$ref"];
    if (typeof reference !== "string") continue;
    const at = appendPointer(path, "$ref");
    if (!reference.startsWith("#")) {
      const message = "must point into this schema, as in #/$defs/name: other documents are not read";
      issues.push({ path: at, code: "REMOTE_REFERENCE", message });
      continue;
    }
    const target = anchors.get(reference.slice(1)) ?? toPath(reference.slice(1));
    if (target !== undefined && nodes.has(target)) targets.set(path, target);
    else issues.push({ path: at, code: "UNRESOLVED_REFERENCE", message: "must point to a schema that exists here" });
  }
  return [...issues, ...checkReach(nodes, targets)];
}

function collectAnchors(nodes: Nodes, issues: SchemaIssue[]): ReadonlyMap<string, string> {
  const anchors = new Map<string, string>();
  for (const { path, keywords } of nodes.values()) {
    const anchor = keywords["$anchor"];
    if (typeof anchor !== "string") continue;
    if (anchors.has(anchor)) {
      const message = "must be a name that no other $anchor of this schema has";
      issues.push({ path: appendPointer(path, "$anchor"), code: "DUPLICATE_ANCHOR", message });
    }
    anchors.set(anchor, path);
  }
  return anchors;
}

/** Converts the fragment of a URI to a pointer in the format of the list of nodes; undefined if it is not a pointer. */
function toPath(fragment: string): string | undefined {
  try {
    return parsePointer(decodeURIComponent(fragment))?.reduce<string>(appendPointer, "");
  } catch {
    return undefined;
  }
}

/**
 * Checks how many schemas apply to one value through references and combinations, and that none of them leads back to
 * itself.
 */
function checkReach(nodes: Nodes, targets: ReadonlyMap<string, string>): readonly SchemaIssue[] {
  const issues: SchemaIssue[] = [];
  const checks = new Map<string, number>();
  const open = new Set<string>();
  for (const path of nodes.keys()) visit(path);
  return issues;

  function visit(path: string): number {
    const known = checks.get(path);
    if (known !== undefined) return known;
    open.add(path);
    let total = 1;
    for (const { pointer, appliesTo } of nodes.get(path)?.subschemas ?? []) {
      if (appliesTo === "same value") total += follow(path, pointer, path + pointer);
    }
    const target = targets.get(path);
    if (target !== undefined) total += follow(path, "/$ref", target);
    open.delete(path);
    if (total > SCHEMA_LIMITS.maxChecksPerValue) {
      const message = `must check one value against at most ${SCHEMA_LIMITS.maxChecksPerValue} schemas, including references`;
      issues.push({ path, code: "TOO_COMPLEX", message });
      total = 1;
    }
    checks.set(path, total);
    return total;
  }

  function follow(path: string, pointer: string, next: string): number {
    if (!open.has(next)) return visit(next);
    const message = "must not lead back to itself without going into a property or an item";
    issues.push({ path: path + pointer, code: "ENDLESS_REFERENCE", message });
    return 0;
  }
}
