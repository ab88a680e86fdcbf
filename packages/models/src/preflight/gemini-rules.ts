import type { ModelIssue, ModelTool } from "../port.ts";
import { schemaNodes } from "./schema-walk.ts";

/**
 * The keywords of JSON Schema that Gemini's API reference lists for schemas that it takes as they are
 * (`parametersJsonSchema`, `responseJsonSchema`). `@ai-sdk/google` sends schemas unchanged, so the others reach it, and
 * whether it reads them nobody says.
 *
 * @see https://ai.google.dev/api/generate-content#generationconfig
 */
const LISTED: ReadonlySet<string> = new Set([
  "$id",
  "$defs",
  "$ref",
  "$anchor",
  "type",
  "format",
  "title",
  "description",
  "enum",
  "items",
  "prefixItems",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "anyOf",
  "oneOf",
  "properties",
  "additionalProperties",
  "required",
  "propertyOrdering",
]);

// These allow and forbid nothing.
const ANNOTATIONS: ReadonlySet<string> = new Set([
  "$schema",
  "$comment",
  "default",
  "deprecated",
  "example",
  "examples",
  "readOnly",
  "writeOnly",
  "definitions",
]);

/** What Gemini may not read of a tool's schema. */
export function geminiIssues({ parameters }: ModelTool, path: string): readonly ModelIssue[] {
  const unlisted = new Set(
    schemaNodes(parameters).flatMap(({ schema }) =>
      Object.keys(schema).filter((keyword) => !LISTED.has(keyword) && !ANNOTATIONS.has(keyword)),
    ),
  );
  if (unlisted.size === 0) return [];
  const named = [...unlisted].slice(0, 20).join(", ");
  const message =
    `Gemini is not known to read ${named}: say in descriptions what they stand for; ` +
    "the gateway holds arguments to them all the same";
  return [{ severity: "warning", path: `${path}.parameters`, code: "SCHEMA_KEYWORD_IGNORED", message }];
}
