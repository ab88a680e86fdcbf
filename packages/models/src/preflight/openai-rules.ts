import { isJsonObject } from "@yagate/lib/json/json-object";
import type { JsonObject } from "@yagate/protocol";
import type { ModelIssue, ModelTool } from "../port.ts";
import { hasType, type SchemaNode, schemaNodes } from "./schema-walk.ts";

const MAX_DESCRIPTION = 1_024;

/**
 * Finds properties of a tool that OpenAI rejects or the SDK removes.
 *
 * - A schema whose top level is not a plain object: 400 "schema must have type 'object' and not have
 *   'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level" (langchain-ai/langchainjs#9804, anomalyco/opencode#35516).
 * - An array without `items`: 400 "array schema missing items" (PrefectHQ/fastmcp#2464).
 * - `propertyNames`: `@ai-sdk/openai` removes it, and throws if its schema is not for strings
 *   (`normalize-openai-json-schema.ts`).
 * - A description of more than 1024 characters: chat completions respond with 400 "string too long. Expected a string
 *   with maximum length 1024" (getsentry/sentry-mcp#106); no such limit is known for the Responses API.
 */
export function openAiIssues({ description, parameters }: ModelTool, path: string): readonly ModelIssue[] {
  const issues: ModelIssue[] = [];
  for (const keyword of topLevelComposition(parameters)) {
    const message = `OpenAI does not support ${keyword} at the top level of a schema; move it into a property or the description`;
    issues.push(refused(`${path}.parameters.${keyword}`, message));
  }
  for (const node of schemaNodes(parameters)) issues.push(...nodeIssues(node, `${path}.parameters`));
  if (description.length > MAX_DESCRIPTION) {
    const message =
      `OpenAI may reject descriptions of more than ${MAX_DESCRIPTION} characters; this one, with its usage notes, has ` +
      `${description.length}`;
    issues.push({ severity: "warning", path: `${path}.description`, code: "DESCRIPTION_LONG", message });
  }
  return issues;
}

function topLevelComposition(schema: JsonObject): readonly string[] {
  return ["oneOf", "anyOf", "allOf", "enum", "not"].filter(
    (keyword) => schema[keyword] !== undefined && !(keyword === "allOf" && isSingleReference(schema)),
  );
}

// The SDK replaces references by the schemas that they refer to.
function isSingleReference({ allOf }: JsonObject): boolean {
  const [only, ...others] = Array.isArray(allOf) ? allOf : [];
  return (
    others.length === 0 && isJsonObject(only) && Object.keys(only).length === 1 && typeof only["$ref"] === "string"
  );
}

function nodeIssues({ schema, path }: SchemaNode, root: string): readonly ModelIssue[] {
  const issues: ModelIssue[] = [];
  if (hasType(schema, "array") && schema["items"] === undefined) {
    issues.push(refused(`${root}${path}`, "OpenAI does not support arrays without items; specify items"));
  }
  const { propertyNames } = schema;
  if (propertyNames === undefined) return issues;
  const place = `${root}${path}.propertyNames`;
  const isOfStrings = isJsonObject(propertyNames) && (propertyNames["type"] ?? "string") === "string";
  if (!isOfStrings)
    return [...issues, refused(place, "expected a schema for strings: OpenAI supports no other propertyNames")];
  const message = "propertyNames is not sent to OpenAI; the gateway still validates arguments against it";
  return [...issues, { severity: "warning", path: place, code: "SCHEMA_KEYWORD_IGNORED", message }];
}

function refused(path: string, message: string): ModelIssue {
  return { severity: "error", path, code: "SCHEMA_UNSUPPORTED", message };
}
