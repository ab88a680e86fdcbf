import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { appendPointer } from "@yagate/lib/json/json-pointer";
import { FORMATS } from "@yagate/lib/json-schema/formats/parameter-formats";
import { LinearPattern } from "@yagate/lib/json-schema/linear-pattern";
import type { SchemaIssue } from "./schema-issue.ts";
import type { SchemaNode } from "./schema-nodes.ts";

/**
 * Keywords that do not exist in JSON Schema 2020-12 or that refer to other documents, with the replacement to write.
 */
const UNSUPPORTED_KEYWORDS: ReadonlyMap<string, string> = new Map([
  ["additionalItems", "is not part of JSON Schema 2020-12: write prefixItems for the first items, items for the rest"],
  ["$recursiveRef", "is not part of JSON Schema 2020-12: write $ref"],
  ["$recursiveAnchor", "is not part of JSON Schema 2020-12: write $ref"],
  ["$dynamicRef", "is not supported: write $ref"],
  ["$dynamicAnchor", "is not supported: write $anchor and $ref"],
  ["divisibleBy", "is not part of JSON Schema 2020-12: write multipleOf"],
  ["disallow", "is not part of JSON Schema 2020-12: write not"],
  ["extends", "is not part of JSON Schema 2020-12: write allOf"],
]);

/** Values that a keyword could have only in older drafts. */
const OLD_FORMS: ReadonlyMap<string, { readonly is: (value: unknown) => boolean; readonly message: string }> = new Map([
  ["items", { is: Array.isArray, message: "must be one schema: write a list of schemas as prefixItems" }],
  ["required", { is: isBoolean, message: "must be a list of names, next to properties" }],
  ["exclusiveMinimum", { is: isBoolean, message: "must be a number: write the bound here and omit minimum" }],
  ["exclusiveMaximum", { is: isBoolean, message: "must be a number: write the bound here and omit maximum" }],
]);

/** Checks what the meta-schema can't check: removed keywords, patterns, formats and empty enums. */
export function checkKeywords(node: SchemaNode): readonly SchemaIssue[] {
  return [...checkSupport(node), ...checkPatterns(node), ...checkFormat(node), ...checkChoice(node)];
}

function* checkSupport({ path, keywords }: SchemaNode): Iterable<SchemaIssue> {
  for (const [keyword, value] of Object.entries(keywords)) {
    const at = appendPointer(path, keyword);
    const reason = UNSUPPORTED_KEYWORDS.get(keyword);
    if (reason !== undefined) yield { path: at, code: "UNSUPPORTED_KEYWORD", message: reason };
    const oldForm = OLD_FORMS.get(keyword);
    if (oldForm?.is(value)) yield { path: at, code: "UNSUPPORTED_KEYWORD", message: oldForm.message };
  }
  if (path !== "" && Object.hasOwn(keywords, "$id")) {
    const message = "is allowed only at the root of a schema: write $anchor or $defs, and $ref";
    yield { path: appendPointer(path, "$id"), code: "UNSUPPORTED_KEYWORD", message };
  }
}

function* checkPatterns({ path, keywords }: SchemaNode): Iterable<SchemaIssue> {
  for (const { at, source } of listPatterns(path, keywords)) {
    try {
      new LinearPattern(source);
    } catch (error) {
      const message = error instanceof Error ? error.message : "must be a valid regular expression";
      yield { path: at, code: "INVALID_PATTERN", message };
    }
  }
}

/** Returns the regular expressions of a schema, excluding those of its subschemas. */
export function listPatterns(path: string, keywords: JsonObject): readonly { at: string; source: string }[] {
  const { pattern, patternProperties } = keywords;
  const at = appendPointer(path, "patternProperties");
  const names = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
  const patterns = names.map((source) => ({ at: appendPointer(at, source), source }));
  return typeof pattern === "string"
    ? [{ at: appendPointer(path, "pattern"), source: pattern }, ...patterns]
    : patterns;
}

function* checkFormat({ path, keywords: { format } }: SchemaNode): Iterable<SchemaIssue> {
  if (typeof format !== "string" || FORMATS.has(format)) return;
  const message = `must be a format that can be checked: ${[...FORMATS.keys()].sort().join(", ")}`;
  yield { path: appendPointer(path, "format"), code: "UNKNOWN_FORMAT", message };
}

function* checkChoice({ path, keywords }: SchemaNode): Iterable<SchemaIssue> {
  const choice = keywords["enum"];
  if (!Array.isArray(choice) || choice.length > 0) return;
  yield { path: appendPointer(path, "enum"), code: "INVALID_SCHEMA", message: "must have at least 1 item" };
}

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}
