import { isJsonObject } from "@yagate/lib/json/json-object";
import { listShapeProblems, type ShapeProblem } from "@yagate/lib/json/json-shape";
import { SCHEMA_LIMITS } from "@yagate/lib/json-schema/limits";
import { checkAgainstMetaSchema } from "@yagate/lib/json-schema/schema-validator";
import type { SchemaIssue } from "./schema-issue.ts";
import { checkKeywords, listPatterns } from "./schema-keywords.ts";
import { collectSchemaNodes, type SchemaNode } from "./schema-nodes.ts";
import { checkReferences } from "./schema-references.ts";
import { toViolations } from "./violations.ts";

/** Dialects whose schemas mean the same in 2020-12 if they pass the checks below. */
const DIALECT = /^https?:\/\/json-schema\.org\/(?:draft\/(?:2020-12|2019-09)|draft-0[67])\/schema#?$/;

const SHAPE_MESSAGES = {
  NOT_JSON: "must be JSON",
  TOO_DEEP: `must nest at most ${SCHEMA_LIMITS.maxDepth} levels deep`,
  TOO_LARGE: `must have at most ${SCHEMA_LIMITS.maxBytes} bytes when serialised`,
  FORBIDDEN_KEY: "must not be named __proto__, constructor or prototype: arguments with such a name are rejected",
} as const satisfies Record<ShapeProblem["code"], string>;

/**
 * Checks the JSON Schema of a tool's parameters when the tool is saved. It must be an object schema of JSON Schema
 * 2020-12, or of a draft since 06 if it means the same in 2020-12; have at most 64 KiB and 32 levels; refer only to
 * itself; and use only known formats, and patterns for a linear-time engine. A schema without issues can be compiled.
 *
 * @returns at most 50 issues; empty for a valid schema. The check stops at an issue about size, depth or a value that
 *   is not JSON.
 */
export function checkParametersSchema(schema: unknown): readonly SchemaIssue[] {
  const shape = checkShape(schema);
  if (shape.some(({ code }) => code !== "FORBIDDEN_KEY")) return shape;
  const nodes = collectSchemaNodes(schema);
  const counts = checkCounts(nodes);
  if (counts.length > 0) return [...shape, ...counts];
  const specific = [
    ...shape,
    ...checkRoot(schema),
    ...[...nodes.values()].flatMap(checkKeywords),
    ...checkReferences(nodes),
  ];
  const explained = new Set(specific.map(({ path }) => path));
  const general = toViolations(checkAgainstMetaSchema(schema, "2020-12", SCHEMA_LIMITS.maxIssues))
    .filter(({ path }) => !explained.has(path))
    .map(({ path, message }) => ({ path, code: "INVALID_SCHEMA" as const, message }));
  return [...specific, ...general].slice(0, SCHEMA_LIMITS.maxIssues);
}

function checkShape(schema: unknown): readonly SchemaIssue[] {
  const { maxDepth, maxBytes } = SCHEMA_LIMITS;
  const problems = listShapeProblems(schema, { maxDepth, maxCharacters: maxBytes });
  const issues = problems.map(({ path, code }) => ({ path, code, message: SHAPE_MESSAGES[code] }));
  const isReadable = problems.every(({ code }) => code === "FORBIDDEN_KEY");
  if (isReadable && Buffer.byteLength(JSON.stringify(schema)) > maxBytes) {
    issues.push({ path: "", code: "TOO_LARGE", message: SHAPE_MESSAGES.TOO_LARGE });
  }
  return issues;
}

function checkCounts(nodes: ReadonlyMap<string, SchemaNode>): readonly SchemaIssue[] {
  const { maxSubschemas, maxPatterns } = SCHEMA_LIMITS;
  const issues: SchemaIssue[] = [];
  if (nodes.size > maxSubschemas) {
    issues.push({ path: "", code: "TOO_COMPLEX", message: `must contain at most ${maxSubschemas} schemas` });
  }
  const patterns = [...nodes.values()].flatMap(({ path, keywords }) => listPatterns(path, keywords));
  if (patterns.length > maxPatterns) {
    issues.push({ path: "", code: "TOO_COMPLEX", message: `must contain at most ${maxPatterns} patterns` });
  }
  return issues;
}

function* checkRoot(schema: unknown): Iterable<SchemaIssue> {
  if (!isJsonObject(schema) || schema["type"] !== "object") {
    const path = isJsonObject(schema) ? "/type" : "";
    const message = 'must be an object schema, with "type": "object": arguments have names';
    yield { path, code: "NOT_AN_OBJECT_SCHEMA", message };
    return;
  }
  const dialect = schema["$schema"];
  if (typeof dialect === "string" && !DIALECT.test(dialect)) {
    const message = "must be https://json-schema.org/draft/2020-12/schema or absent";
    yield { path: "/$schema", code: "UNSUPPORTED_DIALECT", message };
  }
}
