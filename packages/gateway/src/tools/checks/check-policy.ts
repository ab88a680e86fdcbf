import type { AgentPolicy } from "@yagate/protocol";
import type { AgentFinding } from "@yagate/tool-definitions/agent-finding";
import { type AuthorisedTool, authorise } from "../../policy/authorise.ts";

/** Warns of a tool that could never run: its author has reckoned with something else. */
export function checkPolicy(
  name: string,
  path: string,
  policy: AgentPolicy,
  tool: AuthorisedTool,
): readonly AgentFinding[] {
  const { decision, reason } = authorise(policy, tool);
  if (decision !== "denied") return [];
  return [
    { severity: "warning", path, code: "ALWAYS_DENIED", message: `every call of ${name} will be denied: ${reason}` },
  ];
}

/** The same for a tool that the model's provider runs: it never waits for an answer, so it is not offered at all. */
export function checkHostedPolicy(
  name: string,
  path: string,
  policy: AgentPolicy,
  tool: AuthorisedTool,
): readonly AgentFinding[] {
  const { decision, reason } = authorise(policy, tool);
  if (decision !== "approval_required") return checkPolicy(name, path, policy, tool);
  const message = `${name} is not offered to the model: ${reason}, and a tool that the provider runs can't wait for one`;
  return [{ severity: "warning", path, code: "ALWAYS_DENIED", message }];
}
