import type { AgentPolicy } from "@yagate/protocol";
import type { AgentFinding } from "@yagate/tool-definitions/agent-finding";
import { type AuthorisedTool, authorise } from "../../policy/authorise.ts";

/** Warns about a tool whose calls the policy always denies. */
export function checkPolicy(
  name: string,
  path: string,
  policy: AgentPolicy,
  tool: AuthorisedTool,
): readonly AgentFinding[] {
  const { decision, reason } = authorise(policy, tool);
  if (decision !== "denied") return [];
  return [
    { severity: "warning", path, code: "ALWAYS_DENIED", message: `every call to ${name} will be denied: ${reason}` },
  ];
}

/**
 * Warns about a provider-run tool that is not offered to the model, because the policy denies it or requires an
 * approval for it. A tool that runs at the provider can't wait for an approval.
 */
export function checkHostedPolicy(
  name: string,
  path: string,
  policy: AgentPolicy,
  tool: AuthorisedTool,
): readonly AgentFinding[] {
  const { decision, reason } = authorise(policy, tool);
  if (decision !== "approval_required") return checkPolicy(name, path, policy, tool);
  const message = `${name} is not offered to the model: ${reason}, and a tool that runs at the provider can't wait for approval`;
  return [{ severity: "warning", path, code: "ALWAYS_DENIED", message }];
}
