import type { ModelIssue, ModelTool } from "../port.ts";
import { schemaNodes } from "./schema-walk.ts";

/**
 * The JSON Schema keywords that Gemini's API reference lists for unmodified schemas (`parametersJsonSchema`,
 * `responseJsonSchema`). `@ai-sdk/google` sends schemas unchanged, so other keywords also reach the API. Whether the
 * API uses them is undocumented.
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

// These keywords do not restrict values.
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

/** Finds the keywords in a tool's schema that Gemini may ignore. */
export function geminiIssues({ parameters }: ModelTool, path: string): readonly ModelIssue[] {
  const unlisted = new Set(
    schemaNodes(parameters).flatMap(({ schema }) =>
      Object.keys(schema).filter((keyword) => !LISTED.has(keyword) && !ANNOTATIONS.has(keyword)),
    ),
  );
  if (unlisted.size === 0) return [];
  const named = [...unlisted].slice(0, 20).join(", ");
  const message =
    `Gemini may ignore ${named}: describe the constraints in words; ` +
    "the gateway still validates arguments against them";
  return [{ severity: "warning", path: `${path}.parameters`, code: "SCHEMA_KEYWORD_IGNORED", message }];
}
