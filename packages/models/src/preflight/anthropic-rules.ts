import { isJsonObject } from "@yagate/lib/json/json-object";
import type { ModelIssue, ModelTool } from "../port.ts";

/**
 * Finds properties of a tool that make Anthropic reject the entire request.
 *
 * - `oneOf`, `allOf`, `anyOf` at the top level: 400 "input_schema does not support oneOf, allOf, or anyOf at the top
 *   level" (anthropics/claude-code#5319, dearlordylord/huly-mcp#66).
 * - Parameter names: 400 "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'" (anthropics/claude-code#79418,
 *   ComposioHQ/composio#3500); nested names are undocumented.
 */
export function anthropicIssues({ parameters }: ModelTool, path: string): readonly ModelIssue[] {
  const issues: ModelIssue[] = [];
  for (const keyword of ["oneOf", "allOf", "anyOf"]) {
    if (parameters[keyword] === undefined) continue;
    const message = `Anthropic does not support ${keyword} at the top level of a schema; move it into a property or the description`;
    issues.push({ severity: "error", path: `${path}.parameters.${keyword}`, code: "SCHEMA_UNSUPPORTED", message });
  }
  const { properties } = parameters;
  for (const name of isJsonObject(properties) ? Object.keys(properties) : []) {
    if (/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) continue;
    const message = "Anthropic requires parameter names of 1 to 64 letters, digits, _, . and -";
    const place = `${path}.parameters.properties.${name.slice(0, 80)}`;
    issues.push({ severity: "error", path: place, code: "SCHEMA_UNSUPPORTED", message });
  }
  return issues;
}
