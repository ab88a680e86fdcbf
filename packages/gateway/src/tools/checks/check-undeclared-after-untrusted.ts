import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { riskOf } from "@yagate/lib/tools/risk-of";
import {
  type AgentPolicy,
  type CompleteToolDefinition,
  isBuiltinTool,
  isComposedTool,
  isHandlerTool,
  isRestTool,
} from "@yagate/protocol";
import type { AgentFinding } from "@yagate/tool-definitions/agent-finding";
import { restSideEffect } from "@yagate/tool-definitions/rest/rest-side-effect";
import { asksAfterUntrusted, authorise } from "../../policy/authorise.ts";
import { approvalOf, effectiveTraits } from "../composed/effective-traits.ts";
import type { Targets } from "../composed/target.ts";
import { primitiveOf } from "../http/primitives/primitives.ts";
import { toolName } from "../toolset/tool-entry.ts";

/** Maximum number of names in a message. A longer list ends with the number of names that it omits. */
const MAX_NAMED = 10;

/**
 * Warns about an agent that has a tool with untrusted results and a handler tool or composed tool without a declared
 * side effect. Untrusted content could then trigger calls to such an undeclared tool without an approval.
 */
export function checkUndeclaredAfterUntrusted(
  tools: readonly CompleteToolDefinition[],
  policy: AgentPolicy,
  builtins: ReadonlyMap<string, BuiltinTool>,
): readonly AgentFinding[] {
  const targets: Targets = { builtins, tools: new Map(tools.filter(isComposedTool).map((tool) => [tool.name, tool])) };
  const sources = tools.filter((tool) => bringsUntrusted(tool, policy, targets)).map(toolName);
  const undeclared = tools.filter((tool) => runsUndeclared(tool, policy, targets)).map(toolName);
  // The warning needs two different tools. A tool that is both has a warning about its own missing side effect.
  if (!undeclared.some((name) => sources.some((source) => source !== name))) return [];
  const message =
    `untrusted content can come from ${named(sources)}; tools without a declared side effect run without approval ` +
    `after it: ${named(undeclared)}. Declare a side effect for each of them, or set policy.untrusted to ` +
    '"approve_undeclared"';
  return [{ severity: "warning", path: "policy.untrusted", code: "UNDECLARED_AFTER_UNTRUSTED", message }];
}

/** Checks whether a tool may run and its results count as untrusted. */
function bringsUntrusted(tool: CompleteToolDefinition, policy: AgentPolicy, targets: Targets): boolean {
  const mayRun = (traits: Parameters<typeof authorise>[1]) => authorise(policy, traits).decision !== "denied";
  if (isHandlerTool(tool)) return tool.trusted === false && mayRun({ kind: "handler", risk: riskOf(tool) });
  if (isRestTool(tool)) {
    const { rest } = tool;
    const risk = riskOf({ sideEffect: restSideEffect(rest) ?? undefined, risk: rest.risk });
    return rest.trusted !== true && mayRun({ kind: "network", risk });
  }
  if (isComposedTool(tool)) {
    const traits = tool.trusted === true ? undefined : effectiveTraits(tool, targets);
    return traits?.kind === "network" && mayRun({ kind: "network", risk: traits.risk ?? null });
  }
  if (primitiveOf(tool.builtin) !== undefined) return mayRun({ kind: "network", risk: null });
  const listed = targets.builtins.get(toolName(tool));
  const configured = listed?.configure?.(tool.config ?? {});
  const builtin = configured !== undefined && "tool" in configured ? configured.tool : listed;
  if (builtin?.kind !== "network" || builtin.isTrusted === true) return false;
  return mayRun({ kind: "network", risk: riskOf(builtin), isOnByListing: true });
}

/**
 * Checks whether a handler tool or composed tool without a declared side effect runs without an approval after
 * untrusted content.
 */
function runsUndeclared(tool: CompleteToolDefinition, policy: AgentPolicy, targets: Targets): boolean {
  if (isBuiltinTool(tool) || isRestTool(tool)) return false;
  const traits = isComposedTool(tool) ? effectiveTraits(tool, targets) : undefined;
  if (isComposedTool(tool) && traits === undefined) return false;
  const risk = traits === undefined ? riskOf(tool) : (traits.risk ?? null);
  if (risk !== null) return false;
  const approval = traits === undefined ? tool.approval : approvalOf(tool, traits, policy);
  const { decision } = authorise(policy, { kind: traits?.kind ?? "handler", risk, approval });
  // With "never" or "allow", the author has made this decision.
  const isDecided = policy.untrusted === "allow" || (approval ?? policy.approval) === "never";
  return decision === "allowed" && !isDecided && !asksAfterUntrusted(policy, { risk, approval });
}

function named(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
