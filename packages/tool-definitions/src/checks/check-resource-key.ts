import { isObject } from "@yagate/lib/json/json-object";
import type { HandlerToolDefinition } from "@yagate/protocol";
import type { AgentFinding } from "../agent-finding.ts";
import { parseResourceKey } from "../placeholders/resource-key.ts";

/**
 * Checks that the resource key of a tool contains only names of existing, required parameters.
 *
 * @param path - the path of the tool, such as `tools[0]`.
 */
export function checkResourceKey(
  { resourceKey, parameters, sideEffect }: Pick<HandlerToolDefinition, "resourceKey" | "parameters" | "sideEffect">,
  path: string,
): readonly AgentFinding[] {
  if (resourceKey === undefined) return [];
  const at = `${path}.resourceKey`;
  const template = parseResourceKey(resourceKey);
  if (template === undefined) {
    const message = "expected text with parameter names in ${}, such as order:${orderId}; write $${ for a literal ${";
    return [{ severity: "error", path: at, code: "INVALID_TEMPLATE", message }];
  }
  const { properties, required } = parameters;
  const isKnown = (name: string) => isObject(properties) && Object.hasOwn(properties, name);
  const findings: AgentFinding[] = template.parameters
    .filter((name) => !isKnown(name))
    .map((name) => ({
      severity: "error",
      path: at,
      code: "UNKNOWN_PARAMETER",
      message: `expected names of the tool's parameters, not ${name}`,
    }));
  const isAlways = (name: string) => Array.isArray(required) && required.includes(name);
  for (const name of template.parameters.filter((name) => isKnown(name) && !isAlways(name))) {
    const message = `${name} is optional: a write without it may change any resource, so it never runs in parallel with other writes; require ${name}, or remove it from the key`;
    findings.push({ severity: "warning", path: at, code: "OPTIONAL_PARAMETER", message });
  }
  for (const name of template.literals.filter((name) => isKnown(name))) {
    const message = `${name} is literal text here, the same in every call: write \${${name}}`;
    findings.push({ severity: "warning", path: at, code: "LITERAL_BRACES", message });
  }
  if (sideEffect === undefined) {
    const message =
      "the tool declares no side effect, so its calls are ordered like writes: declare read_only if it only reads";
    findings.push({ severity: "warning", path: at, code: "SIDE_EFFECT_UNDECLARED", message });
  }
  return findings;
}
