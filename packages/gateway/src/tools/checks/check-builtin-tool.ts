import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { resolveBuiltinName } from "@yagate/builtins/builtin-tools";
import { riskOf } from "@yagate/lib/tools/risk-of";
import type { AgentPolicy, BuiltinToolDefinition, FieldError } from "@yagate/protocol";
import type { AgentFinding } from "@yagate/tool-definitions/agent-finding";
import { checkPrimitive } from "../http/primitives/check-primitive.ts";
import { primitiveOf } from "../http/primitives/primitives.ts";
import { parseHostedTool, wantsHosting } from "../toolset/hosted-tool.ts";
import { intentEntries } from "../toolset/intent-entries.ts";
import { checkHostedPolicy, checkPolicy } from "./check-policy.ts";

/**
 * Checks a built-in tool.
 *
 * @param path - the path of the tool, such as `tools[0]`.
 * @param builtins - built-in tools by name.
 */
export function checkBuiltinTool(
  definition: BuiltinToolDefinition,
  path: string,
  policy: AgentPolicy,
  builtins: ReadonlyMap<string, BuiltinTool>,
): readonly AgentFinding[] {
  const { builtin, config } = definition;
  const primitive = primitiveOf(builtin);
  if (primitive !== undefined) return checkPrimitive(primitive, definition, path, policy);
  const tool = builtins.get(resolveBuiltinName(builtin) ?? builtin);
  if (tool === undefined) {
    return [
      { severity: "error", path: `${path}.builtin`, code: "UNKNOWN_BUILTIN", message: "expected a built-in tool" },
    ];
  }
  const authorised = { kind: tool.kind, risk: riskOf(tool), isOnByListing: true };
  // It is an intent, and checked as one.
  if (intentEntries([definition]).length > 0) return [];
  if (wantsHosting(definition)) {
    const parsed = parseHostedTool(definition, path);
    const problems = "tool" in parsed ? [] : parsed.problems;
    const findings = problems.map((problem): AgentFinding => ({ severity: "error", ...problem }));
    return [...findings, ...checkHostedPolicy(tool.name, path, policy, authorised)];
  }
  const findings: AgentFinding[] = [];
  if (!tool.isConfigured) {
    const message = `${tool.name} is not configured on this gateway: calls will fail until an operator configures it${tool.remedy === undefined ? "" : `: ${tool.remedy}`}`;
    findings.push({ severity: "warning", path: `${path}.builtin`, code: "NOT_CONFIGURED", message });
  }
  if (tool.configure !== undefined) {
    const configured = tool.configure(config ?? {});
    const problems = "problems" in configured ? configured.problems : [];
    findings.push(...problems.map((problem) => configProblem(problem, path)));
  } else if (config !== undefined && Object.keys(config).length > 0) {
    const message = `${tool.name} takes no configuration: config has no effect`;
    findings.push({ severity: "warning", path: `${path}.config`, code: "CONFIG_UNUSED", message });
  }
  return [...findings, ...checkPolicy(tool.name, path, policy, authorised)];
}

function configProblem(problem: FieldError, path: string): AgentFinding {
  const place = problem.path === "" ? `${path}.config` : `${path}.config.${problem.path}`;
  return { severity: "error", ...problem, path: place };
}
